package engine_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// public are the packages whose API is listed in docs/api.
var public = []string{"box/fast", "engine", "engine/core", "engine/fault", "engine/hitch", "engine/netplay", "engine/profile", "engine/rube", "world", "world/forces", "world/tiles", "world/walker", "physicsloop", "renderloop", "renderloop/clock", "renderloop/draw", "renderloop/frametime", "renderloop/glrender", "renderloop/present", "renderloop/presenttimes", "renderloop/scene", "shaders", "buffer", "buffer/body2d", "buffer/phase"}

var update = flag.Bool("update", false, "write the listing of the API to docs/api")

func TestTheListingOfTheAPIIsUpToDate(t *testing.T) {
	norace.Only(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command to make the listing with")
	}
	listed := public
	if cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(cgo)) != "1" {
		listed = slices.DeleteFunc(slices.Clone(public), func(p string) bool { return p == "renderloop/glrender" })
	}
	exported := apiImporter(t, listed)
	for _, p := range listed {
		file := filepath.Join("docs", "api", strings.ReplaceAll(p, "/", "_")+".txt")
		pkg, err := exported.Import("halfstep/" + p)
		if err != nil {
			t.Fatal(err)
		}
		want := listing(pkg)
		if *update {
			if err := os.WriteFile(filepath.Join("..", file), []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Error(err)
			continue
		}
		if line, now := firstDifference(string(got), want); line > 0 {
			t.Errorf("%s:%d is stale: the API says %q; run scripts/make/api and look at what changed", file, line, now)
		}
	}
}

// apiImporter reads packages in the form in which the compiler exports them.
func apiImporter(t *testing.T, packages []string) types.Importer {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, p := range packages {
		args = append(args, "halfstep/"+p)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// listing returns the exported API of a package, with a line for each name,
// method and field. It contains no comments, so that a change of wording does
// not change it.
func listing(p *types.Package) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)+"\n") }
	in := types.RelativeTo(p)
	short := func(q *types.Package) string {
		if in(q) == "" {
			return ""
		}
		return q.Name()
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !isType || !ok {
			value := ""
			if c, ok := o.(*types.Const); ok {
				value = " = " + c.Val().String()
			}
			add("%s%s", types.ObjectString(o, short), value)
			continue
		}
		switch under := named.Underlying().(type) {
		case *types.Struct:
			typ := "type " + types.TypeString(named, short) + " struct"
			add("%s", typ)
			for f := range under.Fields() {
				if f.Exported() {
					add("%s, %s %s", typ, f.Name(), types.TypeString(f.Type(), short))
				} else if inner, ok := f.Type().(*types.Named); ok && f.Embedded() {
					for m := range inner.Methods() { // godoc lists them among those of the type
						if m.Exported() {
							add("method (*%s) %s%s", name, m.Name(), strings.TrimPrefix(types.TypeString(m.Signature(), short), "func"))
						}
					}
				}
			}
		default:
			add("%s", types.ObjectString(o, short))
		}
		for m := range named.Methods() {
			if m.Exported() {
				add("method (%s) %s%s", types.TypeString(m.Signature().Recv().Type(), short), m.Name(), strings.TrimPrefix(types.TypeString(m.Signature(), short), "func"))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// A comment in the listing would make a change of wording a change of the API.
func TestAChangeOfWordsIsNoChangeOfTheAPI(t *testing.T) {
	signature := regexp.MustCompile(`^(const|var|func|method|type) [^/]*$`)
	files, _ := filepath.Glob("../docs/api/*.txt")
	if len(files) != len(public) {
		t.Errorf("%d listings of %d packages", len(files), len(public))
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if !signature.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Fatalf("%s: %q is not a signature", f, line)
			}
		}
	}
}

// firstDifference returns the number of the first line that differs, with its
// text in got and in want. The number is 0 if there is no difference.
func firstDifference(got, want string) (line int, now string) {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			return i + 1, ""
		case i >= len(a) || a[i] != b[i]:
			return i + 1, b[i]
		}
	}
	return 0, ""
}

func TestEveryExportedNameIsDocumented(t *testing.T) {
	norace.Only(t)
	for _, p := range public {
		for _, name := range undocumented(t, filepath.Join("..", p)) {
			t.Errorf("%s: %s is not documented", p, name)
		}
	}
}

// undocumented lists a package's exported names that have no comment, and its
// floating-point fields and parameters whose comment names no unit.
func undocumented(t *testing.T, dir string) (names []string) {
	t.Helper()
	set := token.NewFileSet()
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var parsed []*ast.File
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		a, err := parser.ParseFile(set, f, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, a)
	}
	p, err := doc.NewFromFiles(set, parsed, "halfstep/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	missing := func(name, text string) {
		if strings.TrimSpace(text) == "" {
			names = append(names, name)
		}
	}
	missing("the package", p.Doc)
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, s := range v.Decl.Specs {
				if s := s.(*ast.ValueSpec); s.Names[0].IsExported() {
					missing(s.Names[0].Name, v.Doc+s.Doc.Text()+s.Comment.Text())
				}
			}
		}
	}
	funcs := func(of string, list []*doc.Func) {
		for _, f := range list {
			if obvious[f.Name] == "" {
				missing(of+f.Name, f.Doc)
				for _, p := range f.Decl.Type.Params.List {
					if measured(p.Type) && !unit.MatchString(f.Doc) {
						missing(of+f.Name+" (its units)", "")
					}
				}
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs("", p.Funcs)
	for _, typ := range p.Types {
		missing(typ.Name, typ.Doc)
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		for _, s := range typ.Decl.Specs {
			fields(s.(*ast.TypeSpec), typ.Doc, missing)
		}
	}
	return names
}

// obvious are the methods whose names have a meaning in the language.
var obvious = map[string]string{"String": "fmt.Stringer", "Error": "error", "Unwrap": "errors"}

// unit matches a unit in a doc comment.
var unit = regexp.MustCompile(`(?i)\b(m|m/s|m/s²|rad|rad/s|s|ms|ns|Hz|kg|N|N·s|N·m|N·m·s|metres?|radians|seconds?|nanoseconds|ticks?|pixels?|units?|fraction|factor|ratio|scale|times|multiplies|part|share|0|1|1/s)\b|[0-9]( m| s|%)|kg|²|·`)

// fields calls missing for each exported floating-point field of a struct
// that has no unit. A unit may be in the comment of the field or in that of
// the struct.
func fields(s *ast.TypeSpec, text string, missing func(name, text string)) {
	typ, ok := s.Type.(*ast.StructType)
	if !ok || unit.MatchString(text) {
		return
	}
	for i, f := range typ.Fields.List {
		said := f.Doc.Text() + f.Comment.Text()
		if said == "" && i+1 < len(typ.Fields.List) { // of two coordinates the second comment counts for both
			said = typ.Fields.List[i+1].Comment.Text()
		}
		for _, n := range f.Names {
			if n.IsExported() && measured(f.Type) && !unit.MatchString(said) {
				missing(fmt.Sprintf("%s.%s (its unit)", s.Name.Name, n.Name), "")
			}
		}
	}
}

// measured reports whether values of the type may have a unit.
func measured(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.Ident:
		return typ.Name == "float64" || typ.Name == "float32" || typ.Name == "Vec"
	case *ast.ArrayType:
		return measured(typ.Elt)
	case *ast.SelectorExpr:
		return typ.Sel.Name == "Vec"
	}
	return false
}
