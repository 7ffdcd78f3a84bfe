package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
)

// noScreen replaces the window in tests.
type noScreen struct {
	intervals []int
	titles    []string
	cross     bool
}

func (n *noScreen) Attach()           {}
func (n *noScreen) Detach()           {}
func (n *noScreen) Swap()             {}
func (n *noScreen) Interval(i int)    { n.intervals = append(n.intervals, i) }
func (n *noScreen) Title(s string)    { n.titles = append(n.titles, s) }
func (n *noScreen) Cursor(cross bool) { n.cross = cross }
func (n *noScreen) Fullscreen()       {}

// bench is a viewer without GL. It does everything except drawing.
type bench struct {
	*viewer
	t      testing.TB
	screen *noScreen
	frames uint64
}

// newBench opens the scene that the flags name, with a surface of 1000 by 500
// pixels. Unless the flags say otherwise, the clock is fixed:60 and there is no
// panel.
func newBench(t testing.TB, args string) *bench {
	t.Helper()
	o, err := ParseFlags(append([]string{"-panel=false"}, strings.Fields(args)...))
	if err != nil {
		t.Fatal(err)
	}
	all, first, err := play.OpenScenes(o.Scene, o.File, o.Strict)
	if err != nil {
		t.Fatal(err)
	}
	source, _, err := o.Clock.source(o.Process)
	if err != nil {
		t.Fatal(err)
	}
	if o.Clock == (clockSpec{}) {
		source, _ = frametime.NewFixedSource(clock.Hz(60))
	}
	s := &noScreen{}
	b := &bench{newViewer(o, s, input.Surface{W: 1000, H: 500, Scale: 1}, input.NewQueue(), source, all, first), t, s, 0}
	if err := b.Session.Open(first); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// openRecording closes the scene and replays a recording.
func (b *bench) openRecording(file string) {
	b.t.Helper()
	all, first, err := openAll(&Options{Replay: file}, io.Discard)
	if err != nil {
		b.t.Fatal(err)
	}
	b.Stage.Scenes = all
	if err := b.Session.ChangeScene(first); err != nil {
		b.t.Fatal(err)
	}
}

// run runs frames without drawing them.
func (b *bench) run(frames int) {
	b.t.Helper()
	for range frames {
		ns, _ := b.source.Next()
		if err := b.takeInput(); err != nil {
			b.t.Fatal(err)
		}
		if err := b.advance(b.frames, time.Duration(ns)); err != nil {
			b.t.Fatal(err)
		}
		b.frames++
	}
}

// press presses keys, each in its own frame.
func (b *bench) press(keys ...input.Key) {
	b.t.Helper()
	for _, k := range keys {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: k, Action: input.Press})
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: k, Action: input.Release})
		b.run(1)
	}
}

// cursor moves the cursor to a point of the world.
func (b *bench) cursor(x, y float64) {
	px, py := b.picture.Camera.WorldToScreen(x, y, b.picture.Surface.W, b.picture.Surface.H)
	b.queue.Put(input.Event{Kind: input.CursorInput, X: px, Y: py})
}

func (b *bench) mouse(button input.Button, action input.Action) {
	b.queue.Put(input.Event{Kind: input.ButtonInput, Button: button, Action: action})
}
