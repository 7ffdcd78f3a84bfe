package godoc

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// phrases are parts of licence texts. A module with another licence must not be
// linked before somebody has read that licence.
var phrases = map[string]string{
	"MIT":          "Permission is hereby granted, free of charge",
	"BSD-3-Clause": "Neither the name of",
	"Zlib":         "This software is provided 'as-is'",
	"Apache-2.0":   "Apache License",
}

func TestTheNoticesNameEveryModuleThatIsLinkedWithItsLicence(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "NOTICES.md"))
	if err != nil {
		t.Fatal(err)
	}
	type notice struct{ licence, copyright string }
	named := map[string]notice{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(.+)` \\| (.+) \\| (.+) \\|$").FindAllStringSubmatch(string(page), -1) {
		named[row[1]] = notice{row[2], row[3]}
	}
	linked := map[string]string{} // folders by module
	for _, system := range []string{"linux", "windows", "darwin"} {
		cmd := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}|{{.Dir}}{{end}}{{end}}`, "./cmd/...")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=1")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		for _, line := range strings.Fields(string(out)) {
			module, folder, _ := strings.Cut(line, "|")
			linked[module] = folder
		}
	}
	if len(linked) == 0 {
		t.Fatal("no modules")
	}
	for module, folder := range linked {
		n, ok := named[module]
		if !ok {
			t.Errorf("NOTICES.md does not name %s", module)
			continue
		}
		var text strings.Builder
		for _, pattern := range []string{"LICEN*", "font/gofont/ttfs/README", "func.go"} { // the last one is a source of a module whose licence names nobody
			files, _ := filepath.Glob(filepath.Join(folder, pattern))
			for _, file := range files {
				data, _ := os.ReadFile(file)
				text.Write(data)
			}
		}
		if phrases[n.licence] == "" || !strings.Contains(text.String(), phrases[n.licence]) {
			t.Errorf("the licence of %s is not %s", module, n.licence)
		}
		for _, line := range strings.Split(n.copyright, "; ") {
			if !strings.Contains(text.String(), line) {
				t.Errorf("%s does not say %q", module, line)
			}
		}
	}
	for module := range named {
		if linked[module] == "" {
			t.Errorf("NOTICES.md names %s, which is not linked", module)
		}
	}
}
