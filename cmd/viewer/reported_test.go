package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A scene that cannot be built was "car.json: setup: car.json: body 0: world: … (shape 1)".
func TestAMessageAboutASceneFileNamesItOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "car.json")
	text := `{"body":[{"type":2,"fixture":[` + strings.Repeat(`{"density":9e17,"circle":{"radius":25000}},`, 4) + `{"circle":{"radius":1}}]}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sc, err := fileScene(path)
	if err != nil {
		t.Fatal(err)
	}
	_, started := (&settings{scale: 1}).engine(&sc, sc.config())
	for _, err := range []error{sc.tryBuilding(), started} {
		if err == nil || strings.Count(err.Error(), "car.json") != 1 || strings.Contains(err.Error(), "setup") || strings.Contains(err.Error(), "shape") {
			t.Error(err)
		}
	}
}

func TestStrictRefusesASceneOfWhichAFixtureIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "car.json")
	if err := os.WriteFile(path, []byte(`{"body":[{"name":"wheel","fixture":[{"circle":{"radius":0}}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all, first, err := openScenes(&Options{File: path})
	want := path + `: left out: body 0 "wheel": fixture 0: circle: radius 0: not above 0`
	if err != nil || all[first].note != want {
		t.Errorf("%v, %q", err, all[first].note)
	}
	if _, _, err := openScenes(&Options{File: path, Strict: true}); err == nil || err.Error() != want {
		t.Error(err)
	}
}
