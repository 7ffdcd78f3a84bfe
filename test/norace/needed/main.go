// Command needed finds the tests and examples of some folders that must also run without
// -race: those that package norace skips or shortens with -race, those that depend on the
// build, and those that count allocations. It prints a pattern for go test -run that
// matches them, and then a line for each folder with such tests.
//
//	go run ./test/norace/needed ./engine ./world
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	names := map[string]bool{}
	var dirs []string
	for _, dir := range os.Args[1:] {
		found, err := needed(dir)
		if err != nil {
			log.Fatal(err)
		}
		if len(found) > 0 {
			dirs = append(dirs, dir)
		}
		for _, name := range found {
			names[name] = true
		}
	}
	fmt.Printf("^(%s)$\n%s\n", strings.Join(slices.Sorted(maps.Keys(names)), "|"), strings.Join(dirs, "\n"))
}

// needed returns the tests of one folder that must run without -race. A test must run
// without -race if its code has one of the signs, or if the code of a declaration that it
// names has one. Two declarations with the same name are not told apart.
func needed(dir string) (tests []string, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	names := map[string][]string{} // the names in the code of a declaration
	signs := map[string]bool{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			declared := declares(d)
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if isSign(n) {
						for _, name := range declared {
							signs[name] = true
						}
					}
				case *ast.Ident:
					for _, name := range declared {
						names[name] = append(names[name], n.Name)
					}
				}
				return true
			})
		}
	}
	for more := true; more; {
		more = false
		for name, named := range names {
			if !signs[name] && slices.ContainsFunc(named, func(n string) bool { return signs[n] }) {
				signs[name], more = true, true
			}
		}
	}
	for name := range signs {
		if strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Example") {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

// declares returns the names that a declaration declares.
func declares(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

func isSign(s *ast.SelectorExpr) bool {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return false
	}
	switch x.Name + "." + s.Sel.Name {
	case "norace.Only", "norace.Rounds", "norace.Some", "owner.Checked",
		"testing.AllocsPerRun", "runtime.ReadMemStats", "metrics.Read":
		return true
	}
	return false
}
