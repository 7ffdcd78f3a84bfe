package play

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestTheWatchOfASceneFileEndsWithTheRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.json")
	if err := os.WriteFile(path, []byte(fallingBox), 0o600); err != nil {
		t.Fatal(err)
	}
	watches := func() int {
		stacks := make([]byte, 1<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "(*fileWatch).run(")
	}
	for deadline := time.Now().Add(20 * time.Second); watches() > 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond) // the watch of an earlier test may still be ending
	}
	before := watches()
	b := newBench(t, path)
	for range 3 {
		b.do("restart")
	}
	b.until("one goroutine watches the file", func() bool { return watches() == before+1 })
	b.Close()
	for deadline := time.Now().Add(20 * time.Second); watches() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the file is still watched")
		}
	}
}

func TestASceneFileIsWatchedByOneGoroutine(t *testing.T) {
	s := &Session{Stage: &Stage{Scenes: []SceneEntry{{Path: "none.json"}}, Options: new(Options)}}
	s.watchFile()
	first := s.Watching.Quit
	s.watchFile()
	defer s.unwatchFile()
	select {
	case <-first:
	default:
		t.Error("the first one goes on")
	}
}

const fallingBox = `{"gravity":{"x":0,"y":-10},"body":[{"name":"NAME","type":2,"position":{"x":0,"y":5},
	"fixture":[{"density":1,"polygon":{"vertices":{"x":[-1,1,1,-1],"y":[-1,-1,1,1]}}}]}]}`

func TestAFileThatIsOpenedAgainGrowsOn(t *testing.T) {
	path, e, written := growing(t)
	e.Step(30)
	written(30)
	dropped, err := ReadScene(path) // this is the same as for a file that is dropped on a window
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, "")
	if err := b.Session.OpenFile(dropped); err != nil {
		t.Fatal(err)
	}
	b.until("its end so far", func() bool { return b.Stage.View.Tick >= 30 })
	if says := b.Travel.ReplayVerdict(); says != "" {
		t.Error(says)
	}
	b.do("restart")
	e.Step(30)
	b.until("what was added", func() bool { return b.Stage.View.Tick == 60 })
	b.do("next scene")
	e.Step(30)
	b.do("previous scene")
	b.until("what was added meanwhile", func() bool { return b.Stage.View.Tick == 90 })
	e.Close()
	b.until("its end", func() bool { return b.Travel.ReplayVerdict() == "identical to tick 90, the end" })
}
