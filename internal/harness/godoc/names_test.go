// Package godoc checks that go doc finds what the pages and the examples use.
package godoc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"halfstep/internal/harness/norace"
)

const (
	root   = "../../.."
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

// names collects what code uses of the project's packages.
type names struct {
	files    *token.FileSet
	importer types.Importer
	packages map[string]bool               // of the project, by path
	used     map[types.Object]string       // an example of where
	owner    map[types.Object]types.Object // of a field: the type it belongs to
}

// newNames loads the types of all packages that code in the folders can import.
func newNames(t *testing.T, folders []string) *names {
	exports := map[string]string{}
	n := &names{
		files: token.NewFileSet(), packages: map[string]bool{},
		used: map[types.Object]string{}, owner: map[types.Object]types.Object{},
	}
	for _, dir := range folders {
		list := output(t, dir, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...", "testing")
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			path, file, _ := strings.Cut(line, "\t")
			exports[path] = file
		}
	}
	n.importer = importer.ForCompiler(n.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for path := range exports {
		inside := strings.HasPrefix(path, module)
		for _, other := range []string{"cmd", "examples", "internal"} {
			inside = inside && !strings.HasPrefix(path, module+other+"/")
		}
		if !inside {
			continue
		}
		p, err := n.importer.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		n.packages[path] = true
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

// add collects from the files of one package. complain is called with what does
// not compile.
func (n *names) add(where string, files []*ast.File, complain func(error)) {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: n.importer, Error: complain}
	config.Check("main", n.files, files, &info)
	for id, object := range info.Uses {
		if v, ok := object.(*types.Var); ok && v.Embedded() {
			object = typeName(v.Type()) // go doc shows what is embedded with its own type
		} else if ok {
			object = v.Origin()
		} else if f, ok := object.(*types.Func); ok {
			object = f.Origin()
		}
		if p := object.Pkg(); p != nil && n.packages[p.Path()] {
			n.used[object] = fmt.Sprintf("%s:%d", where, n.files.Position(id.Pos()).Line)
		}
	}
}

// addPage collects from a page's Go code. A block that is not a whole program
// is read as the body of a function: there only the project's names must exist.
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

// addFolder collects from a program.
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

// typeName is the name of a type, or of what it points to.
func typeName(t types.Type) *types.TypeName {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.(*types.Named).Obj()
}

// symbol is what a reader asks go doc for, such as halfstep/world.World.Body.
func (n *names) symbol(object types.Object) (string, error) {
	path := object.Pkg().Path() + "."
	if f, ok := object.(*types.Func); ok {
		if r := f.Signature().Recv(); r != nil {
			return path + shownAs(typeName(r.Type())) + "." + object.Name(), nil
		}
	}
	if object.Parent() != object.Pkg().Scope() {
		return "", fmt.Errorf("%v belongs to no type that go doc shows", object)
	}
	return path + object.Name(), nil
}

// shownAs is the type with which go doc shows the methods of t: of one that is not
// exported, an exported one that embeds it.
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

// verify asks go doc for a name.
func (n *names) verify(object types.Object) error {
	symbol, err := n.symbol(object)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "doc", symbol)
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go doc %s: %v: %s", symbol, err, text)
	}
	name := object.Name()
	if regexp.MustCompile(`(?m)\b` + name + ` += \w+\.` + name + `\b`).Match(text) {
		return fmt.Errorf("go doc %s: an alias:\n%s", symbol, text)
	}
	switch object := object.(type) {
	case *types.TypeName:
		if object.IsAlias() {
			return fmt.Errorf("go doc %s: an alias:\n%s", symbol, text)
		}
	case *types.Func:
		for p := range object.Signature().Params().Variables() {
			if p.Name() == "" || p.Name() == "_" || !bytes.Contains(text, []byte(p.Name())) {
				return fmt.Errorf("go doc %s: a parameter has no name:\n%s", symbol, text)
			}
		}
	default:
		return nil // a constant's or variable's comment may be its group's
	}
	if !regexp.MustCompile(`(?m)^    \S|^\s*//`).Match(text) {
		return fmt.Errorf("go doc %s: no comment:\n%s", symbol, text)
	}
	return nil
}

func TestEveryNameOfTheGuideIsWhereGoDocLooks(t *testing.T) {
	norace.Only(t)
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("it builds packages and runs go doc")
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
			object = owner // go doc finds a field with its type
		}
		asked[object] = where
	}
	objects := make(chan types.Object)
	var found []string
	var lock sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for object := range objects {
				if err := n.verify(object); err != nil {
					lock.Lock()
					found = append(found, fmt.Sprintf("%s: %v", asked[object], err))
					lock.Unlock()
				}
			}
		})
	}
	for object := range asked {
		objects <- object
	}
	close(objects)
	workers.Wait()
	slices.Sort(found)
	for _, f := range found {
		t.Error(f)
	}
	if len(n.used) < 100 {
		t.Errorf("%d names", len(n.used))
	}
	t.Logf("%d names", len(n.used))
}
