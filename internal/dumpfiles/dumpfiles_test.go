package dumpfiles

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestOnlyFilesWithTheNameOfADumpAreRemoved(t *testing.T) {
	for _, reasons := range []bool{false, true} {
		f := Folder{Dir: t.TempDir(), Prefix: "hitch-", Suffixes: []string{".json", ".html"}, Reasons: reasons, MaxDumps: 1, MaxBytes: 1}
		name := f.Name(time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC))
		dump := name
		if reasons {
			dump += "-key"
		}
		mine := []string{
			"hitch-budget.json", "hitch-.html", "hitch-2026.json", "hitch-20260102T030405-0006.json", "hitch-20261302T030405-000678.json",
			name + "-key-keep.json", name + "copy.json", name + ".txt", name + "-.json", "my" + dump + ".json", name + ".old.json",
		}
		if reasons {
			mine = append(mine, name+".json")
		} else {
			mine = append(mine, name+"-key.json")
		}
		for _, n := range append(slices.Clone(mine), dump+".json", dump+".html") {
			if err := os.WriteFile(filepath.Join(f.Dir, n), []byte("text"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.MakeRoom(1); err != nil {
			t.Fatal(err)
		}
		for _, n := range mine {
			if _, err := os.Stat(filepath.Join(f.Dir, n)); err != nil {
				t.Error(err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(f.Dir, dump+".*")); slices.ContainsFunc(left, func(p string) bool { return !slices.Contains(mine, filepath.Base(p)) }) {
			t.Errorf("of the dump there is left %v", left)
		}
	}
}

func TestAFileIsNeverSeenHalfWrittenAndAnErrorLeavesNothing(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	path := filepath.Join(f.Dir, "o")
	if got, err := f.Put("o", []byte("older")); err != nil || got != path {
		t.Fatal(got, err)
	}
	broken := errors.New("broken")
	err := Replace(path, 0o644, func(w io.Writer) error {
		w.Write([]byte("half"))
		if data, _ := os.ReadFile(path); string(data) != "older" {
			t.Errorf("half written it is %q", data)
		}
		return broken
	})
	if list, _ := os.ReadDir(f.Dir); err != broken || len(list) != 1 {
		t.Errorf("%v, %v", err, list)
	}
	if data, _ := os.ReadFile(path); string(data) != "older" {
		t.Errorf("after an error it is %q", data)
	}
}
