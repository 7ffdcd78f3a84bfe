package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/engine"
	"halfstep/world"
)

func TestAnHourOfSlowStepsMakesFewLines(t *testing.T) {
	a := alarm{patience: play.Patience}
	now := time.Now()
	if a.due(play.Patience-1, now) {
		t.Error("told too early")
	}
	lines := []int{}
	for s := range 3600 {
		if a.due(time.Duration(3+s%2)*time.Second, now.Add(time.Duration(s)*time.Second)) {
			lines = append(lines, s)
		}
	}
	if len(lines) < 5 || len(lines) > 12 || lines[0] != 0 || lines[1] != 3 {
		t.Errorf("lines after %v s", lines)
	}
}

// stuckBench returns a bench whose first step hangs in a controller until
// release is called.
func stuckBench(t *testing.T, flags string) (b *bench, release func()) {
	b = newBench(t, flags)
	hold, in := make(chan struct{}), make(chan struct{})
	first := true
	b.Stage.Scenes[b.Stage.Current].Config = func() engine.Config {
		return engine.Config{Setup: func(w *world.World) error {
			w.AddController(hang(func() {
				if first {
					first = false
					close(in)
				}
				<-hold
			}))
			return nil
		}}
	}
	b.Stage.Settings.Simulated = false
	if err := b.Session.Open(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.Stage.View = b.Stage.Player.Advance(time.Second / 20)
	<-in
	return b, func() { close(hold) }
}

type hang func()

func (h hang) BeforeStep(*world.World, float64) { h() }

func TestTheWatchdogNamesTheStepThatLasts(t *testing.T) {
	b, release := stuckBench(t, "-scene cradle")
	defer release()
	var out strings.Builder
	d := newWatchdog(&out)
	d.alarm.patience = time.Millisecond
	d.watch(b.Stage.Player)
	time.Sleep(2 * time.Millisecond)
	now := time.Now()
	d.check(now)
	d.check(now)
	if s := out.String(); strings.Count(s, "\n") != 1 || !strings.HasPrefix(s, "viewer: physics has been in tick 1 for 0.0") || !strings.HasSuffix(s, ", in controllers\n") {
		t.Errorf("%q", s)
	}
	d.forget(b.Stage.Player)
	d.check(now.Add(time.Hour))
	if strings.Count(out.String(), "\n") != 1 {
		t.Error("reports an engine that it should forget")
	}
}

func TestTheHUDSaysThatAStepLasts(t *testing.T) {
	b := newBench(t, "-scene cradle")
	b.Outcome.Busy = engine.Busy{Number: 812, Phase: phase.Step, Continuous: true, For: play.Patience}
	if text, _, back := b.picture.HUD.Footnote(b.picture); text != "physics has been in tick 812 for 3 s, in continuous collision" || back != picture.BadColour {
		t.Error(text)
	}
	b.Outcome.Busy.For--
	if text, _, _ := b.picture.HUD.Footnote(b.picture); strings.Contains(text, "physics") {
		t.Error(text)
	}
}

func TestTheFrameLooksWhatPhysicsIsBusyWith(t *testing.T) {
	b, release := stuckBench(t, "-scene cradle")
	defer release()
	b.frames = 1
	b.run(1)
	if b.Outcome.Busy.Number != 1 || b.Outcome.Busy.Phase != phase.Controllers {
		t.Errorf("%+v", b.Outcome.Busy)
	}
}

func TestQuittingLeavesAStepThatDoesNotEndBehindAndNamesIt(t *testing.T) {
	b, release := stuckBench(t, "-scene cradle")
	b.Stage.Quitting = true
	err := b.finish()
	if !errors.Is(err, engine.ErrStuck) || !strings.Contains(fmt.Sprint(err), "tick 1 for") {
		t.Error(err)
	}
	release()
}

// A Lockstep frame waits for its step and handles no input, so another goroutine
// must end the step.
func TestQuittingEndsAStepThatTheRenderThreadWaitsFor(t *testing.T) {
	b := newBench(t, "-scene cradle -sync lockstep")
	b.Stage.Scenes[b.Stage.Current].Config = func() engine.Config { return engine.Config{Setup: swarm} }
	b.Stage.Settings.Simulated = false
	if err := b.Session.Open(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	d := newWatchdog(new(strings.Builder))
	d.watch(b.Stage.Player)
	e := b.Stage.Player
	go func() {
		for e.Busy(phase.Physics).For == 0 { // an interrupt before the first step would only close the engine
			time.Sleep(time.Millisecond)
		}
		d.interrupt()
	}()
	start := time.Now()
	for b.Stage.Player.Failure() == nil && time.Since(start) < time.Minute {
		b.Stage.Player.Advance(time.Second / 60)
	}
	if f := b.Stage.Player.Failure(); !errors.Is(f, world.ErrInterrupted) {
		t.Error(f)
	}
}

// swarm makes a world that spends seconds of its first step in continuous
// collision.
func swarm(w *world.World) error {
	for i := range 600 {
		s := world.Circle(.06)
		s.Restitution = 1
		_, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Bullet: true,
			Position: world.Vec{X: .2 * float64(i%25), Y: .2 * float64(i/25)},
			Velocity: world.Vec{X: float64(i*7919%200 - 100), Y: float64(i*104729%200 - 100)},
			Shapes:   []world.ShapeDef{s},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
