// Package othersystems checks the types of packages and of their tests for other systems and
// processors. This finds missing names, and numbers that are too large for their type, in a
// fraction of the time of a build. It makes no machine code and reads no assembly.
package othersystems

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	systems  = flag.String("systems", "", "the systems, such as linux/386,windows/amd64")
	packages = flag.String("packages", "", "the packages, with spaces between them")
)

func TestTypesAreRightOnOtherSystems(t *testing.T) {
	if *systems == "" {
		t.Skip("scripts/test names the systems and the packages")
	}
	for _, target := range strings.Split(*systems, ",") {
		system, processor, _ := strings.Cut(target, "/")
		if err := check(system, processor, strings.Fields(*packages)); err != nil {
			t.Errorf("for %s:\n%v", target, err)
		}
	}
}

// listed is what go list prints about a package, or about a package with its tests.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Standard   bool
}

// importing finds an imported package among the packages that are checked already.
type importing struct {
	checked map[string]*types.Package
	renamed map[string]string // listed.ImportMap
}

func (i importing) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not there", path)
}

// check checks the packages. Before each it checks the packages that the package imports.
func check(system, processor string, packages []string) error {
	list := exec.Command("go", append([]string{"list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard"}, packages...)...)
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	list.Stderr, list.Dir = os.Stderr, filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		return err
	}
	sizes := types.SizesFor("gc", processor)
	checked := map[string]*types.Package{}
	var found []error
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := in.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // the latter is the program that go test makes
		}
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			parsed = append(parsed, f)
		}
		config := types.Config{
			Importer: importing{checked, p.ImportMap}, Sizes: sizes,
			IgnoreFuncBodies: p.Standard,
			Error:            func(err error) { found = append(found, err) },
		}
		path, _, _ := strings.Cut(p.ImportPath, " ")
		checked[p.ImportPath], _ = config.Check(path, files, parsed, nil)
	}
	return errors.Join(found...)
}
