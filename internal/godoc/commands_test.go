package godoc

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testsOf returns the names of all tests, by folder ("./engine").
func testsOf(t *testing.T) map[string][]string {
	found := map[string][]string{}
	name := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		folder := "./" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
		for _, n := range name.FindAllSubmatch(text, -1) {
			found[folder] = append(found[folder], string(n[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheCommandsOfThePageOnReliabilityRunTheTestsOfTheirRows(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, commands := testsOf(t), 0
	folders, pattern := regexp.MustCompile(`\./[\w/]+`), regexp.MustCompile(`-(?:run|fuzz) '?([^'^ ]+)`)
	for _, line := range strings.Split(string(page), "\n") {
		run := ""
		for _, span := range regexp.MustCompile("`[^`]+`|^    .*").FindAllString(line, -1) {
			p := pattern.FindStringSubmatch(strings.Trim(span, "`"))
			if p == nil {
				continue
			}
			commands++
			for _, folder := range folders.FindAllString(span, -1) {
				ran := slices.DeleteFunc(slices.Clone(tests[folder]), func(n string) bool { return !regexp.MustCompile(p[1]).MatchString(n) })
				if run += strings.Join(ran, "` `") + "` `"; len(ran) == 0 {
					t.Errorf("%s runs no test of %s", span, folder)
				}
			}
		}
		for _, n := range regexp.MustCompile("`Test\\w+`").FindAllString(line, -1) {
			if name := strings.Trim(n, "`"); run != "" && !strings.Contains("`"+run, n) {
				t.Errorf("%s is not run by the command of its row", name)
			}
		}
	}
	if commands < 50 {
		t.Errorf("%d commands", commands)
	}
}
