package godoc

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testsIn returns the tests and fuzz targets in a folder that match a pattern of
// go test.
func testsIn(folder, pattern string) (names []string) {
	declared, wanted := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`), regexp.MustCompile(pattern)
	files, _ := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, d := range declared.FindAllStringSubmatch(string(text), -1) {
			if wanted.MatchString(d[1]) {
				names = append(names, d[1])
			}
		}
	}
	return names
}

func TestPagesNameTestsThatExist(t *testing.T) {
	var declared []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folder, _ := filepath.Rel(root, path)
			declared = append(declared, testsIn(folder, "")...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"reliability.md", "other-engines.md"} {
		page, err := os.ReadFile(filepath.Join(root, "docs", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range regexp.MustCompile(`\b((?:Test|Fuzz)[A-Z]\w*)(…?)`).FindAllStringSubmatch(string(page), -1) {
			is := func(name string) bool { return name == named[1] || named[2] != "" && strings.HasPrefix(name, named[1]) }
			// the name after -run may be a part of a test's name
			isPart := func(name string) bool {
				return strings.Contains(string(page), "-run "+named[1]) && strings.HasPrefix(name, named[1])
			}
			if !slices.ContainsFunc(declared, is) && !slices.ContainsFunc(declared, isPart) {
				t.Errorf("%s: there is no %s", file, named[1])
			}
		}
	}
}

func TestThePackagesAndCommandsOfThePageOnReliabilityHaveTheTestsOfTheirRows(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, test := regexp.MustCompile("`[^`]+`|^    .+"), regexp.MustCompile("`(Test\\w+)`")
	alone, folder, pattern := regexp.MustCompile("^`\\./[\\w/]+`$"), regexp.MustCompile(`\./[\w/]+`), regexp.MustCompile(`-(?:run|fuzz) '?([^'\x60 ]+)`)
	commands := 0
	for line := range strings.Lines(string(page)) {
		var run []string
		for _, command := range code.FindAllString(line, -1) {
			if alone.MatchString(command) {
				commands++
				run = append(run, testsIn(command[3:len(command)-1], "")...)
			}
			for _, p := range pattern.FindAllStringSubmatch(command, -1) {
				if p[1] == "^$" {
					continue // the command also names files that are no tests
				}
				commands++
				for _, f := range folder.FindAllString(command, -1) {
					found := testsIn(f, p[1])
					if len(found) == 0 {
						t.Errorf("%s runs no test of %s", command, f)
					}
					run = append(run, found...)
				}
			}
		}
		for _, name := range test.FindAllStringSubmatch(line, -1) {
			if len(run) > 0 && !slices.Contains(run, name[1]) {
				t.Errorf("%s is not in the package of its row", name[1])
			}
		}
	}
	if commands < 50 {
		t.Errorf("%d commands", commands)
	}
}
