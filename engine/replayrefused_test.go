package engine_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/world"
)

func TestAReplayWithAnotherStepperIsRefused(t *testing.T) {
	recorded := func(c world.Config) *engine.Recording {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, World: c, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}}})
		if err != nil {
			t.Fatal(err)
		}
		e.Step(10)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return read(t, file.Bytes())
	}
	fast, soft := recorded(world.Config{}), recorded(world.Config{Stepper: world.SoftStep})
	for _, c := range []struct {
		r     *engine.Recording
		world world.Config
		wants string // or nothing
	}{
		{fast, world.Config{Stepper: world.SoftStep}, "made with fast or stock; the engine has soft and 4 sub-steps"},
		{soft, world.Config{Stepper: world.FastStep}, "made with soft and 4 sub-steps; the engine has fast or stock"},
		{soft, world.Config{Stepper: world.SoftStep, SubSteps: 5}, "made with soft and 4 sub-steps; the engine has soft and 5 sub-steps"},
		{fast, world.Config{Stepper: world.StockStep}, ""},
		{soft, world.Config{Stepper: world.SoftStep, SubSteps: 4, Workers: 2}, ""},
	} {
		config := c.r.Config(stack)
		config.World.Stepper, config.World.SubSteps, config.World.Workers = c.world.Stepper, c.world.SubSteps, c.world.Workers
		e, err := engine.New(config)
		if err == nil {
			e.Close()
		}
		if (c.wants == "") != (err == nil) || err != nil && (!strings.HasSuffix(err.Error(), c.wants) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%+v: %v", c.world, err)
		}
	}
}

func TestAClosedPlayerSaysSo(t *testing.T) {
	data, _ := session(t, 2, 10)
	p, err := read(t, data).Player(stack, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	for _, err := range []error{p.Seek(5), p.Step(1)} {
		if err == nil || err.Error() != "replay: the player is closed" {
			t.Errorf("error %v", err)
		}
	}
	p.Close()
}

func TestTheRecordingOfAFailureGoesToItsLastWholeTick(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if w.Tick() == 99 {
				panic("ow")
			}
		}))
		return stack(w)
	}
	e, dir := boxed(t, engine.Config{Setup: setup}, engine.BlackBoxOptions{OnDump: func(string, error) {}})
	soon(t, "the failure", func() {
		for e.Failure() == nil {
			kicks(e, 1)
		}
	})
	e.Close()
	r, _ := dumped(t, dir)
	if r.Ticks != 99 || !r.Failed {
		t.Fatalf("%d ticks, failed: %v", r.Ticks, r.Failed)
	}
	p, err := r.Player(setup, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, tick := range []uint64{r.Ticks, 50, r.Ticks} {
		if err := p.Seek(tick); err != nil || p.Tick() != tick {
			t.Errorf("Seek(%d): %v", tick, err)
		}
	}
	var f *buffer.Failure
	if _, err := r.Verify(setup); !errors.As(err, &f) || !strings.Contains(err.Error(), "panic: ow") {
		t.Errorf("Verify: %v", err)
	}
	c := r.Config(setup)
	c.Time.Simulated = true
	again, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.History().Seek(r.Ticks); err != nil {
		t.Fatal(err)
	}
	if v := again.Advance(0); v.Tick != 99 || again.Failure() != nil {
		t.Errorf("the engine is at tick %d: %v", v.Tick, again.Failure())
	}
	soon(t, "the failure in the replay", func() {
		for again.Failure() == nil {
			again.Advance(time.Second / 60)
		}
	})
	if err := again.Failure(); !strings.Contains(err.Error(), "ow") {
		t.Error(err)
	}
}
