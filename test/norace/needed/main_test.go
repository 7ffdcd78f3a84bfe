package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTestsThatSayMoreWithoutRaceAreFound(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": `package a
func TestLeftOut(t *testing.T) { norace.Only(t) }
func TestShortenedByAHelper(t *testing.T) { play(t, most) }
func TestOfAnAllocation(t *testing.T) { if testing.AllocsPerRun(1, f) > 0 { t.Fail() } }
func TestTheSameInEveryBuild(t *testing.T) { f() }
func TestMain(m *testing.M) { norace.Only(m) }
func helper(t *testing.T) { norace.Only(t) }
`,
		"b_test.go": `package a
var most = norace.Rounds(3, 1)
func play(t *testing.T, n int) {}
func f() {}
func ExampleOfAMethod() { rig{}.Run() }
type rig struct{}
func (rig) Run() { if owner.Checked { return } }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := needed(dir)
	slices.Sort(got)
	if want := []string{"ExampleOfAMethod", "TestLeftOut", "TestOfAnAllocation", "TestShortenedByAHelper"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
