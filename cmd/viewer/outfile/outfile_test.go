package outfile

import (
	"errors"
	"fmt"
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
	if err := Replace(link, nil, func(w io.Writer) error { io.WriteString(w, "half"); return broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if err := Check(path); err != nil {
		t.Error(err)
	}
	s, err := Create(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close() // nothing was written
	if data, _ := os.ReadFile(path); string(data) != "older" {
		t.Errorf("now %q", data)
	}
	if err := Replace(link, nil, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Error(err)
	}
	data, _ := os.ReadFile(path)
	if i, err := os.Stat(path); string(data) != "new" || err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("now %q, %v", data, i.Mode())
	}
	if i, _ := os.Lstat(link); i.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if s, err = Create(path, nil, nil); err != nil {
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
	f, commit, err := openAtomic(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, err = f.Write([]byte("late"))
	named(commit(err), path)

	if f, commit, err = openAtomic(path, nil); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	named(commit(nil), path)
}

func TestALinkPlantedBesideAnOutputKeepsWhatItLeadsTo(t *testing.T) {
	dir := t.TempDir()
	victim, path := filepath.Join(dir, "victim"), filepath.Join(dir, "o")
	os.WriteFile(victim, []byte("mine"), 0o644)
	if err := os.Symlink(victim, fmt.Sprintf("%s.%d.part", path, os.Getpid())); err != nil {
		t.Skip(err)
	}
	if err := Replace(path, nil, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(victim); string(data) != "mine" {
		t.Errorf("it holds %q", data)
	}
}
