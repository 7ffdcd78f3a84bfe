package rube

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
)

// These scenes were made by others. Their contents were counted with other programs.
func TestScenesFromTheWildBuildAndStep(t *testing.T) {
	norace.Only(t)
	folder := os.Getenv("HALFSTEP_DATA")
	if folder == "" {
		t.Skip("HALFSTEP_DATA is not set: no scenes made by others")
	}
	files, err := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var raw struct {
				Body []struct {
					Name             string
					Fixture          []json.RawMessage
					CustomProperties []any
				}
				Joint []json.RawMessage
			}
			if err := json.Unmarshal(data, &raw); err != nil {
				t.Fatal(err)
			}
			s := readScene(t, file)
			w := build(t, s, 0)
			if c := w.Counts(); int(c.Bodies) != len(raw.Body) || int(c.Joints) != len(raw.Joint) {
				t.Errorf("%d bodies, %d joints; the file has %d and %d", c.Bodies, c.Joints, len(raw.Body), len(raw.Joint))
			}
			i := 0
			before := map[world.Body]world.Vec{}
			for b := range w.Bodies() {
				shapes, err := w.Shapes(b)
				if err != nil || len(shapes) != len(raw.Body[i].Fixture) {
					t.Errorf("body %d: %d shapes, the file has %d: %v", i, len(shapes), len(raw.Body[i].Fixture), err)
				}
				info, _ := w.Body(b)
				if info.Name != raw.Body[i].Name {
					t.Errorf("body %d: named %q, in the file %q", i, info.Name, raw.Body[i].Name)
				}
				if n := len(raw.Body[i].CustomProperties); n > 0 {
					if user, ok := info.User.(*Info); !ok || len(user.Properties) != n {
						t.Errorf("body %d: user data %v, the file has %d properties", i, info.User, n)
					}
				}
				before[b] = info.Position
				i++
			}
			step(w, 60)
			finite(t, w)
			moved := 0
			for b := range w.Bodies() {
				if info, _ := w.Body(b); info.Position != before[b] {
					moved++
				}
			}
			t.Logf("%d bodies, %d joints, %d bodies moved", len(raw.Body), len(raw.Joint), moved)
		})
	}
}
