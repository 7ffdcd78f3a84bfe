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

// Folder names the environment variable with the folder that the machines share.
const Folder = "HALFSTEP_ELSEWHERE"

// Kept returns the result of the first machine. If the folder has no file with the name, it
// calls first and writes the file. Without a folder the test is skipped.
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
