package engine_test

import (
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// drifter returns an engine with a ball that moves to the right at 3 m/s, after a second.
func drifter(t *testing.T, c engine.Config) (*engine.Engine, world.Body) {
	t.Helper()
	if c.History.Rollback.Ticks == 0 {
		c.History.Rollback.Ticks = 10
	}
	c.World.NoGravity, c.Time.Simulated = true, true
	var ball world.Body
	c.Setup = func(w *world.World) (err error) {
		ball, err = w.CreateBody(world.BodyDef{
			Name: "ball", Kind: world.Dynamic, Velocity: world.Vec{X: 3}, AngularVelocity: 1,
			Shapes: []world.ShapeDef{world.Circle(.5)},
		})
		return err
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	for range 60 {
		e.Advance(frameTime)
	}
	return e, ball
}

// where returns the real position of a body, which may differ from the shown position.
func where(e *engine.Engine, b world.Body) (info world.BodyInfo) {
	done := make(chan struct{})
	e.Inspect(func(w *world.World) {
		info, _ = w.Body(b)
		close(done)
	})
	e.Advance(0)
	<-done
	return info
}

// shownAsItIs reports whether the newest state shows a body at its real position.
func shownAsItIs(e *engine.Engine, b world.Body) bool {
	is := where(e, b)
	e.Advance(0) // this takes the state that Inspect had published
	_, cur, ok := e.States(b)
	return ok && cur.X == float32(is.Centre.X) && cur.Y == float32(is.Centre.Y) && math.Abs(cur.Unwrapped()-is.Angle) < 1e-6
}

func TestTheDifferenceThatARollbackMakesIsBlendedOut(t *testing.T) {
	const fps, push = 240, 2.0 // m/s
	for name, c := range map[string]engine.Config{
		"pipelined": {}, "lockstep": {Time: engine.Time{Sync: renderloop.Lockstep}},
		"cubic":   {Time: engine.Time{Smoothing: body2d.Hermite}},
		"no wait": {History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10, Blend: -1}}},
	} {
		e, ball := drifter(t, c)
		before, _ := e.Pose(ball)
		if err := e.History().Rollback(e.Demanded()-10, func(c world.Commands) {
			c.SetVelocity(ball, world.Vec{X: 3, Y: push})
			c.SetAngularVelocity(ball, -1)
		}); err != nil {
			t.Fatal(err)
		}
		const gap, lasts = push * 10 / 60, .1 // m, s
		fastest, last, turns := 0.0, before, 0.0
		frames := 0
		for at := 0.0; at < .5; at += 1. / fps {
			e.Advance(time.Second / fps)
			frames++
			now, _ := e.Pose(ball)
			fastest = max(fastest, math.Abs(now.Y-last.Y)*fps)
			turns = max(turns, math.Abs(now.Angle-last.Angle)*fps)
			last = now
		}
		t.Logf("%s: fastest %v", name, fastest)
		if c.History.Rollback.Blend < 0 {
			if fastest < 2*(push+gap/lasts) {
				t.Errorf("%s: it moves at %.3g m/s at most: it is blended", name, fastest)
			}
			continue
		}
		if most := push + gap/lasts; fastest > 1.01*most {
			t.Errorf("%s: it moves at %.3g m/s, and its speed and the correction make %.3g", name, fastest, most)
		}
		if most := 1 + 2*10/60./lasts; turns > 1.01*most {
			t.Errorf("%s: it turns at %.3g rad/s, and its speed and the correction make %.3g", name, turns, most)
		}
		if !shownAsItIs(e, ball) {
			t.Errorf("%s: in the end it is not shown where it is", name)
		}
	}
}

func TestACorrectionLastsAsLongAsItIsTold(t *testing.T) {
	e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10, Blend: 150 * time.Millisecond}}})
	if err := e.History().Rollback(e.Demanded()-10, func(c world.Commands) { c.Impulse(ball, world.Vec{Y: 5}) }); err != nil {
		t.Fatal(err)
	}
	for tick := 1; tick <= 9; tick++ { // of 1/60 s
		e.Advance(frameTime)
		if shown := shownAsItIs(e, ball); shown != (tick == 9) {
			t.Errorf("%d ticks later: shown where it is: %v", tick, shown)
		}
	}
}

func TestNextCorrectionsSetOutFromWhereTheBodyIsShown(t *testing.T) {
	e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	last, _ := e.Pose(ball)
	for frame := range 60 {
		if frame < 40 && frame%2 == 0 { // the changes forward and back are equally large
			speed := 4 * float64(frame%4-1)
			if err := e.History().Rollback(e.Demanded()-10, func(c world.Commands) {
				c.From(there).SetVelocity(ball, world.Vec{X: 3, Y: speed})
			}); err != nil {
				t.Fatal(err)
			}
		}
		e.Advance(time.Second / 120)
		now, _ := e.Pose(ball)
		if moved := math.Abs(now.Y - last.Y); moved > 1.01*(4+8*10/60./.1)/120 {
			t.Errorf("frame %d: it moves by %v m", frame, moved)
		}
		last = now
	}
}

func TestWhatARollbackTeleportsOrCreatesIsShownThereAtOnce(t *testing.T) {
	e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	var made world.Body
	if err := e.History().Rollback(e.Demanded()-4, func(c world.Commands) {
		c.Teleport(ball, world.Vec{X: -7, Y: 9}, 0)
		made = c.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: 5}, Velocity: world.Vec{Y: 6}, Shapes: []world.ShapeDef{world.Circle(1)},
		})
	}); err != nil {
		t.Fatal(err)
	}
	for frame := range 8 {
		e.Advance(time.Second / 240)
		for _, b := range []world.Body{ball, made} {
			if !shownAsItIs(e, b) {
				t.Fatalf("frame %d: %v is not shown where it is", frame, b)
			}
		}
		if p, _ := e.Pose(ball); p.Y != 9 {
			t.Errorf("frame %d: the teleported ball is shown on its way, at %v", frame, p)
		}
		if p, ok := e.Pose(made); !ok || p.Y < .3 {
			t.Errorf("frame %d: the new body is at %v, %v: it was made four ticks ago", frame, p, ok)
		}
	}
}

func TestARollbackWhilePausedIsShownAtOnceUnderTheSameTick(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: sync}})
		e.SetPaused(true)
		for range 3 {
			e.Advance(time.Second / 100)
		}
		tick, revision, instant := e.View().Tick, e.View().Revision, e.View().Instant
		for _, y := range []float64{4, -4} { // the second correction replaces the first
			if err := e.History().Rollback(tick-6, func(c world.Commands) {
				c.From(there).SetVelocity(ball, world.Vec{Y: y})
			}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				e.Advance(time.Second / 100)
			}
			if p, _ := e.Pose(ball); math.Abs(p.Y-y*6/60) > 1e-6 {
				t.Errorf("%v: the ball is shown at %v m, want %v", sync, p.Y, y*6/60)
			}
		}
		// a predicted tick has revision 0 until something replaces it
		revised := e.View().Revision == revision+2 || sync == renderloop.RunAhead && e.View().Revision > revision+2
		if v := e.View(); v.Tick != tick || !revised || v.Instant < instant || e.Demanded() > tick {
			t.Errorf("%v: tick %d, revision %d, instant %v; before %d, %d, %v", sync, v.Tick, v.Revision, v.Instant, tick, revision, instant)
		}
	}
}
