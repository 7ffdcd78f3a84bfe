// Package elsewhere compares the results of a test on several machines: processors,
// operating systems, builds. scripts/check/soft-everywhere runs such tests.
package elsewhere

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Folder is the name of an environment variable. Its value is the folder that the machines
// share.
const Folder = "HALFSTEP_ELSEWHERE"

// Kept returns the result that the first machine has stored in a file with the given name.
// On the first machine, it calls the function first and stores its result. If no folder is
// set, it skips the test.
func Kept(t testing.TB, name string, first func() []byte) []byte {
	t.Helper()
	dir := os.Getenv(Folder)
	if dir == "" {
		t.Skip("scripts/check/soft-everywhere runs this on several machines")
	}
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		data = first()
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
