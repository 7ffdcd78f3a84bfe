package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
)

// until runs frames until the function so returns true.
func (b *bench) until(what string, so func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); {
		if time.Now().After(deadline) {
			b.t.Fatal("never: " + what)
		}
		time.Sleep(5 * time.Millisecond)
		b.run(1)
	}
}

const fallingBox = `{"gravity":{"x":0,"y":-10},"body":[{"name":"NAME","type":2,"position":{"x":0,"y":5},
	"fixture":[{"density":1,"polygon":{"vertices":{"x":[-1,1,1,-1],"y":[-1,-1,1,1]}}}]}]}`

func TestADroppedSceneFileOpensAndIsOpenedAgainWhenItChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.json")
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Replace(fallingBox, "NAME", name, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	b := newBench(t, "-scene drift")
	b.run(3)
	b.queue.Put(input.Event{Kind: input.DropInput, Paths: []string{path}})
	has := func(name string) func() bool {
		return func() bool { _, ok := b.Stage.Player.Find(name); return ok }
	}
	b.until("the file is open", has("first"))
	if got := b.Stage.Scenes[b.Stage.Current].Name; got != "scene.json" {
		t.Errorf("the scene is called %s", got)
	}
	n := len(b.Stage.Scenes)
	write("the second")
	b.until("its change is seen", has("the second"))
	if len(b.Stage.Scenes) != n {
		t.Errorf("the list grew from %d to %d", n, len(b.Stage.Scenes))
	}
	// a half written or missing file changes nothing
	os.WriteFile(path, []byte(`{"body":[{`), 0o600)
	b.until("the error is told", func() bool {
		return strings.Contains(b.picture.Notice.Text, "scene.json") && !strings.Contains(b.picture.Notice.Text, "opened")
	})
	if !has("the second")() || b.Outcome.Failure != nil {
		t.Error("the world is gone")
	}
	os.Remove(path)
	b.run(10)
	b.Session.ChangeScene(b.Stage.Current + 1)
	if b.Session.Watching != nil {
		t.Error("the file of another scene is still watched")
	}
}

func TestAFileThatCannotBeOpenedIsToldInOneLineAndLosesNothing(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, "-scene drift")
	b.run(30)
	for name, text := range map[string]string{
		"text.txt":   "hello",
		"joint.json": `{"body":[{"type":2}],"joint":[{"type":"revolute","bodyA":0,"bodyB":17}]}`,
		"huge.json":  `{"gravity":{"x":1e999,"y":0},"body":[]}`,
		"missing":    "",
		// this file can be read, but its world cannot be built
		"rope.json": `{"body":[{},{"type":2}],"joint":[{"type":"rope","bodyB":1}]}`,
	} {
		path := filepath.Join(dir, name)
		if text != "" {
			os.WriteFile(path, []byte(text), 0o600)
		}
		b.picture.Notice = picture.Notice{}
		b.queue.Put(input.Event{Kind: input.DropInput, Paths: []string{path}})
		b.until(name+" is refused", func() bool { return b.picture.Notice.Text != "" })
		if strings.Contains(b.picture.Notice.Text, "\n") || b.Stage.Scenes[b.Stage.Current].Name != "drift" || b.Stage.View.Tick < 20 {
			t.Errorf("%s: %q, in %s at tick %d", name, b.picture.Notice.Text, b.Stage.Scenes[b.Stage.Current].Name, b.Stage.View.Tick)
		}
	}
}
