// Package godoc checks that go doc finds the names in the pages and in the
// examples.
package godoc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
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

const (
	root   = "../.."
	module = "halfstep/"
)

// output runs a command in a folder.
func output(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %v: %s", dir, command, err, &failure)
	}
	return string(out)
}

// names collects the names of the project's packages that pages and examples use.
type names struct {
	files    *token.FileSet
	importer types.Importer
	packages map[string]*doc.Package       // packages of the project, by path
	used     map[types.Object]string       // an example of where
	owner    map[types.Object]types.Object // by field, the type that has the field
}

// newNames loads the types of all packages that code in the folders can import.
func newNames(t *testing.T, folders []string) *names {
	exports, folder := map[string]string{}, map[string]string{}
	n := &names{
		files: token.NewFileSet(), packages: map[string]*doc.Package{},
		used: map[types.Object]string{}, owner: map[types.Object]types.Object{},
	}
	for _, dir := range folders {
		list := output(t, dir, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}", "./...", "testing")
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			f := strings.Split(line, "\t")
			exports[f[0]], folder[f[0]] = f[1], f[2]
		}
	}
	n.importer = importer.ForCompiler(n.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for path := range exports {
		inside := strings.HasPrefix(path, module)
		for _, other := range []string{"cmd", "examples", "internal", "test"} {
			inside = inside && !strings.HasPrefix(path, module+other+"/")
		}
		if !inside {
			continue
		}
		p, err := n.importer.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		n.packages[path] = documentation(t, path, folder[path])
		for _, name := range p.Scope().Names() {
			object, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !object.Exported() || object.IsAlias() {
				continue
			}
			if s, ok := object.Type().Underlying().(*types.Struct); ok {
				for i := range s.NumFields() {
					n.owner[s.Field(i)] = object
				}
			}
		}
	}
	return n
}

// documentation returns what go doc knows about a package.
func documentation(t *testing.T, path, dir string) *doc.Package {
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(files, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	d, err := doc.NewFromFiles(files, parsed, path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// add collects names from the files of one package. It calls complain with each
// compile error.
func (n *names) add(where string, files []*ast.File, complain func(error)) {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: n.importer, Error: complain}
	config.Check("main", n.files, files, &info)
	for id, object := range info.Uses {
		if v, ok := object.(*types.Var); ok && v.Embedded() {
			object = typeName(v.Type()) // go doc shows embedded methods with their own type
		} else if ok {
			object = v.Origin()
		} else if f, ok := object.(*types.Func); ok {
			object = f.Origin()
		}
		if p := object.Pkg(); p != nil && n.packages[p.Path()] != nil {
			n.used[object] = fmt.Sprintf("%s:%d", where, n.files.Position(id.Pos()).Line)
		}
	}
}

// addPage collects names from the Go code of a page. If a block of code is not a
// whole program, it is read as the body of a function, and only the project's
// names must exist in it.
func (n *names) addPage(t *testing.T, path string) {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	missing := regexp.MustCompile(`undefined: \w+\.|has no field or method|unknown field`)
	for _, block := range regexp.MustCompile("(?s)```go\\S*\n(.*?)```").FindAllStringSubmatchIndex(string(text), -1) {
		line := 1 + strings.Count(string(text[:block[2]]), "\n")
		code, whole := string(text[block[2]:block[3]]), true
		if !strings.HasPrefix(code, "package ") {
			whole = false
			imports := ""
			for p := range n.packages {
				imports += fmt.Sprintf("import %q;", p)
			}
			code = "package fragment;" + imports +
				"func _(e *engine.Engine, debug *glrender.Renderer) {{" + strings.ReplaceAll(code, "…", "") + "}}"
		}
		where := fmt.Sprintf("%s, the code from line %d", path, line)
		f, err := parser.ParseFile(n.files, "", code, 0)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		n.add(where, []*ast.File{f}, func(err error) {
			if whole || missing.MatchString(err.Error()) {
				t.Errorf("%s: %v", where, err)
			}
		})
	}
}

// addFolder collects names from a program.
func (n *names) addFolder(t *testing.T, dir string) {
	var files []*ast.File
	for _, name := range strings.Fields(output(t, dir, "go", "list", "-f", `{{join .GoFiles " "}} {{join .TestGoFiles " "}}`)) {
		f, err := parser.ParseFile(n.files, filepath.Join(dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	n.add(filepath.Base(dir), files, func(err error) { t.Errorf("%s: %v", dir, err) })
}

// typeName returns the name of a type, or of the type to which the type points.
func typeName(t types.Type) *types.TypeName {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.(*types.Named).Obj()
}

// shownAs returns the type with which go doc shows the methods of t. For an
// unexported type, it is an exported type that embeds t.
func shownAs(t *types.TypeName) string {
	if t.Exported() {
		return t.Name()
	}
	for _, name := range t.Pkg().Scope().Names() {
		of, ok := t.Pkg().Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok || !token.IsExported(name) {
			continue
		}
		for f := range of.Fields() {
			if f.Embedded() && typeName(f.Type()) == t {
				return name
			}
		}
	}
	return t.Name()
}

// verify looks up a name as go doc does.
func (n *names) verify(object types.Object) error {
	p := n.packages[object.Pkg().Path()]
	methods, comment, found := p.Funcs, "", false
	values := slices.Concat(p.Consts, p.Vars)
	for _, t := range p.Types {
		methods = slices.Concat(methods, t.Funcs, t.Methods)
		values = slices.Concat(values, t.Consts, t.Vars)
		if t.Name == object.Name() {
			comment, found = t.Doc, true
		}
	}
	switch object := object.(type) {
	case *types.TypeName:
		if object.IsAlias() {
			return fmt.Errorf("%v is an alias", object)
		}
	case *types.Func:
		of := receiver(object)
		i := slices.IndexFunc(methods, func(f *doc.Func) bool {
			recv, _, _ := strings.Cut(f.Recv, "[") // of a generic type
			return f.Name == object.Name() && strings.TrimPrefix(recv, "*") == of
		})
		if found = i >= 0; found {
			comment = methods[i].Doc
		} else if comment, found = ofInterface(p, of, object.Name()); !found {
			break
		}
		for p := range object.Signature().Params().Variables() {
			if p.Name() == "" || p.Name() == "_" {
				return fmt.Errorf("a parameter of %v has no name", object)
			}
		}
	default:
		comment = "the group's"
		for _, v := range values {
			for _, spec := range v.Decl.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if id.Name != object.Name() {
						continue
					}
					found = true
					if i < len(spec.Values) {
						if of, ok := spec.Values[i].(*ast.SelectorExpr); ok && of.Sel.Name == id.Name {
							return fmt.Errorf("%v is an alias", object)
						}
					}
				}
			}
		}
	}
	switch {
	case !found:
		return fmt.Errorf("go doc does not show %v", object)
	case comment == "":
		return fmt.Errorf("%v has no comment", object)
	}
	return nil
}

// receiver returns the name of the type with which go doc shows a method, or "".
func receiver(f *types.Func) string {
	r := f.Signature().Recv()
	if r == nil {
		return ""
	}
	return shownAs(typeName(r.Type()))
}

// ofInterface returns the comment of a method of an interface.
func ofInterface(p *doc.Package, of, name string) (comment string, found bool) {
	for _, t := range p.Types {
		for _, spec := range t.Decl.Specs {
			spec := spec.(*ast.TypeSpec)
			i, ok := spec.Type.(*ast.InterfaceType)
			if !ok || spec.Name.Name != of {
				continue
			}
			for _, m := range i.Methods.List {
				if len(m.Names) == 1 && m.Names[0].Name == name {
					return m.Doc.Text() + m.Comment.Text(), true
				}
			}
		}
	}
	return "", false
}

func TestEveryNameOfTheGuideIsWhereGoDocLooks(t *testing.T) {
	norace.Only(t)
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("it builds packages")
	}
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*", "go.mod"))
	if err != nil || len(examples) == 0 {
		t.Fatal(examples, err)
	}
	for i := range examples {
		examples[i] = filepath.Dir(examples[i])
	}
	n := newNames(t, append([]string{root}, examples...))
	for _, dir := range examples {
		n.addFolder(t, dir)
	}
	n.addPage(t, "README.md")
	n.addPage(t, "docs/embedding.md")

	asked := map[types.Object]string{}
	for object, where := range n.used {
		if owner := n.owner[object]; owner != nil {
			object = owner // go doc finds a field with the type that has it
		}
		asked[object] = where
	}
	var found []string
	for object, where := range asked {
		if err := n.verify(object); err != nil {
			found = append(found, fmt.Sprintf("%s: %v", where, err))
		}
	}
	slices.Sort(found)
	for _, f := range found {
		t.Error(f)
	}
	if len(n.used) < 100 {
		t.Errorf("%d names", len(n.used))
	}
	t.Logf("%d names", len(n.used))
}
