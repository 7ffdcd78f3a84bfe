package dumpfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsThereIsNeverOpened(t *testing.T) {
	target := filepath.Join(t.TempDir(), "report.json")
	seen := map[string]bool{}
	for range 50 {
		f, err := CreatePart(target, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		name := f.Name()
		if i, err := os.Stat(name); err != nil || i.Mode().Perm()&^0o600 != 0 && os.PathSeparator == '/' {
			t.Errorf("%v, %v", i, err)
		}
		if seen[name] || !strings.HasPrefix(name, target+".") || !strings.HasSuffix(name, ".part") {
			t.Errorf("%s", name)
		}
		seen[name] = true
	}
}
