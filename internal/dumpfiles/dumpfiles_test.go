package dumpfiles

import (
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

func TestALinkThatSomebodyLeftInTheFolderIsNotWrittenThrough(t *testing.T) {
	f := Folder{Dir: t.TempDir(), Prefix: "x-", Suffixes: []string{".json"}, MaxDumps: 1, MaxBytes: 1}
	victim := filepath.Join(t.TempDir(), "victim")
	os.WriteFile(victim, []byte("mine"), 0o644)
	for _, link := range []string{"x-1.json.part", "x-1.json"} {
		if err := os.Symlink(victim, filepath.Join(f.Dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if path, err := f.Put("x-1.json", []byte("dump")); err != nil || path != filepath.Join(f.Dir, "x-1.json") {
		t.Errorf("%s, %v", path, err)
	}
	if data, _ := os.ReadFile(victim); string(data) != "mine" {
		t.Errorf("the file it leads to holds %q", data)
	}
}
