package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// recordedRun records a run of 60 ticks. At tick 30 the function change may change
// something.
func recordedRun(t *testing.T, name string, change func(b *bench)) (path string) {
	path = filepath.Join(t.TempDir(), name+".rec")
	b := newBench(t, "-scene arch -sync lockstep -record "+path)
	b.run(31)
	change(b)
	b.run(31)
	b.Close()
	return path
}

func TestTwoRunsAreToldApartByTickBodyAndValueAndShownSideBySide(t *testing.T) {
	same := func(*bench) {}
	plain, again := recordedRun(t, "a", same), recordedRun(t, "again", same)
	var pushed world.Body
	other := recordedRun(t, "b", func(b *bench) {
		for i := range b.Stage.View.Scene.Bodies {
			if k := &b.Stage.View.Scene.Bodies[i]; world.BodyKind(k.Type) == world.Dynamic {
				pushed = world.Body(k.Handle)
			}
		}
		b.Changes.ChangeWorld("push", func(e *play.Player) { e.SetVelocity(pushed, world.Vec{X: 3, Y: 5}) })
	})
	diff := func(b string) (*Options, []play.SceneEntry, string, error) {
		o, err := ParseFlags([]string{"-diff", plain, b})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		all, _, err := openAll(o, &out)
		return o, all, out.String(), err
	}
	if _, _, said, err := diff(again); err != nil || !strings.Contains(said, "the same up to tick 6") {
		t.Errorf("the same: %q, %v", said, err)
	}
	o, all, said, err := diff(other)
	if err != nil || !strings.HasPrefix(said, "tick 3") || !strings.Contains(said, "body") {
		t.Fatalf("different: %q, %v", said, err)
	}
	b := newPanelBench(t, "-scene drift")
	b.Stage.Scenes, b.Comparer.Compare = all, o.Compare
	b.Close()
	b.Stage.Player = nil
	if err := b.Session.ChangeScene(0); err != nil {
		t.Fatal(err)
	}
	b.press(input.KeySpace)
	marks := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	b.Travel.Seek(*o.Seek)
	b.until("both are at the tick before", func() bool {
		return b.Stage.View.Tick == *o.Seek && b.Stage.Right.View.Tick == *o.Seek
	})
	if l, r := b.picture.Labels(); !strings.Contains(l, "a.rec") || !strings.Contains(r, "b.rec") {
		t.Errorf("the halves are %q and %q", l, r)
	}
	before := marks()
	b.Travel.Seek(*o.Seek + 5)
	b.until("both are behind it", func() bool {
		return b.Stage.View.Tick == *o.Seek+5 && b.Stage.Right.View.Tick == *o.Seek+5
	})
	if after := marks(); after <= before {
		t.Errorf("%d marks where the runs are the same, %d where they are not", before, after)
	}
}

func TestADiffNeedsTwoRecordings(t *testing.T) {
	for args, want := range map[string]string{
		"-diff a.rec":                  "a second recording is missing",
		"-diff a.rec b.rec -hz 30":     "cannot be combined",
		"-diff a.rec -watch :1 b.rec":  "-watch",
		"-diff a.rec b.rec -scene arc": "no such scene",
	} {
		if _, err := ParseFlags(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	o, err := ParseFlags([]string{"-diff", "/nowhere/a.rec", "/nowhere/b.rec"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openAll(o, new(bytes.Buffer)); err == nil || strings.Count(err.Error(), "\n") != 0 {
		t.Errorf("%v", err)
	}
}
