package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnOutputThatFailsKeepsTheOlderFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "o"), filepath.Join(dir, "link")
	os.WriteFile(path, []byte("older"), 0o600)
	os.Symlink(path, link)
	broken := errors.New("broken")
	if err := Replace(link, func(w io.Writer) error { io.WriteString(w, "half"); return broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if err := Check(path); err != nil {
		t.Error(err)
	}
	s, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close() // nothing was written
	if data, _ := os.ReadFile(path); string(data) != "older" {
		t.Errorf("now %q", data)
	}
	if err := Replace(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Error(err)
	}
	data, _ := os.ReadFile(path)
	if i, err := os.Stat(path); string(data) != "new" || err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("now %q, %v", data, i.Mode())
	}
	if i, _ := os.Lstat(link); i.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if s, err = Create(path, nil); err != nil {
		t.Fatal(err)
	}
	io.WriteString(s, "n")
	s.Close()
	if data, _ := os.ReadFile(path); string(data) != "n" {
		t.Errorf("a shorter one leaves %q", data)
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
}

func TestAFileThatCannotBeWrittenIsNamedAsTheUserNamedIt(t *testing.T) {
	dir := t.TempDir()
	nowhere, path := filepath.Join(dir, "no", "x.png"), filepath.Join(dir, "x.png")
	named := func(err error, path string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), path+": ") || strings.Contains(err.Error(), ".part") {
			t.Errorf("%v", err)
		}
	}
	named(Check(nowhere), nowhere)
	named(Replace(path, func(io.Writer) error { return os.Mkdir(path, 0o700) }), path) // it cannot be renamed
	named(Replace(path, func(io.Writer) error { return nil }), path)                   // the path is a folder at this point
}

func TestWhatAStreamHasWrittenIsThereBeforeItIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o")
	s, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	io.WriteString(s, "so far")
	if data, _ := os.ReadFile(path); string(data) != "so far" {
		t.Errorf("%q", data)
	}
}
