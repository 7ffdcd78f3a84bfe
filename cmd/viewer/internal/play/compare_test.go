package play

import (
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop"
)

func TestWhatIsComparedIsOneThingInPlaceOfTheFlags(t *testing.T) {
	for args, want := range map[string]Settings{
		"-compare none":                     {Smoothing: body2d.Newest},
		"-compare hermite -loop single":     {Smoothing: body2d.Hermite, Loop: "single"},
		"-compare lockstep":                 {Sync: renderloop.Lockstep},
		"-compare pipelined -sync lockstep": {},
		"-compare pipelined -loop naive":    {},
		"-compare pacing":                   {Pacing: true},
		"-compare nopacing -pacing auto":    {},
		"-compare semi-fixed":               {Loop: "semi-fixed"},
		"-compare naive -loop single":       {Loop: "naive"},
	} {
		b := newBench(t, "-scene drift "+args)
		s := b.Comparer.rightSettings()
		if s.Smoothing != want.Smoothing || s.Sync != want.Sync || s.Pacing != want.Pacing || s.Loop != want.Loop {
			t.Errorf("%s: %+v", args, s)
		}
		if got := b.Stage.Right.Player.Name; got != want.Loop {
			t.Errorf("%s: runs %q", args, got)
		}
	}
}

func TestBothHalvesLiveThroughTheSameTime(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -compare none")
	b.run(11)
	left, right := b.shown("drift")
	if d := right - left; d <= 0 || d > 1./60 {
		t.Errorf("%v and %v: the newest state is ahead of the blend by less than a step", left, right)
	}
	for _, k := range []string{"pause", "step", "slower", "rate up", "smoothing", "sync", "pacing"} {
		b.do(k)
		l, r := b.Stage.Player, b.Stage.Right.Player
		if l.Paused() != r.Paused() || l.Rate() != r.Rate() || l.Scale() != r.Scale() || l.Engine.Sync() != r.Engine.Sync() || l.Demanded() != r.Demanded() {
			t.Errorf("after %v the halves differ", k)
		}
	}
	if m := b.Stage.Right.View.Smoothing; m != body2d.Newest {
		t.Errorf("the key for the mode changed the right half to %v", m)
	}
	b.do("restart")
	b.do("pause")
	b.run(3)
	if l, r := b.Stage.Player.View().Scene, b.Stage.Right.View.Scene; len(l.Bodies) != len(r.Bodies) || b.Stage.Right.View.Tick > 3 {
		t.Errorf("after a restart the right half is at tick %d", b.Stage.Right.View.Tick)
	}
	b.do("next scene", "next scene")
	if l, r := len(b.Stage.View.Scene.Bodies), len(b.Stage.Right.View.Scene.Bodies); l != r || l < 2 {
		t.Errorf("%d and %d bodies in the next scene", l, r)
	}
}

// shown returns the shown position of the drifting body in each half.
func (b *bench) shown(name string) (left, right float64) {
	b.t.Helper()
	for e, x := range map[*Player]*float64{b.Stage.Player: &left, b.Stage.Right.Player: &right} {
		body, ok := e.Find(name)
		p, shown := e.Pose(body)
		if !ok || !shown {
			b.t.Fatalf("no %s", name)
		}
		*x = p.X
	}
	return left, right
}
