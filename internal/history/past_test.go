package history

import (
	"testing"

	"halfstep/world"
)

func (d *driven) rewind(on bool) {
	c := private.NewOrder(SetRewind{on})
	d.Predictor.Apply(d.Tick(), &c, false)
}

// falling returns a run in which a body falls.
func falling(t testing.TB, ticks int) *driven {
	d := drive(t, world.Config{}, Options{}, RollbackOptions{Ticks: ticks}, func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
		return err
	})
	d.begin()
	return d
}

// states returns the number of states of the kept ticks.
func (k *ticks) states() (n int) {
	for _, m := range k.list {
		if m.Start.saved.Snapshot != nil {
			n++
		}
	}
	return n
}

func TestHoweverOftenARunRewindsItKeepsBoundedTicksAndStates(t *testing.T) {
	const ticks = 10
	for name, way := range map[string]struct{ there, back int }{
		"to and fro": {1, 1}, "more there": {7, 3}, "more back": {3, 7}, "far": {40, 25}, "only back": {0, 50},
	} {
		d := falling(t, ticks)
		for range 50 {
			d.step()
		}
		most, states := 0, 0
		for range 40 {
			for n := range way.there + way.back {
				d.rewind(n >= way.there)
				d.step()
				most, states = max(most, len(d.Log.ticks.list)), max(states, d.Log.ticks.states())
			}
		}
		// A rollback needs the states of its ticks, and the states that these ticks show again. A
		// rewind also needs its own states.
		if most > mostPasts*ticks+2 || states > 3*ticks+4 {
			t.Errorf("%s: %d ticks and %d states are kept", name, most, states)
		}
	}
}

func TestARewindReachesPastEarlierOnes(t *testing.T) {
	const ticks = 10
	d := falling(t, ticks)
	height := map[uint64]float32{}
	step := func() { d.step(); height[d.Tick()] = d.states[0].Y }
	for range 30 {
		step()
	}
	for n, shown := 0, uint64(30); n < 4; n++ { // one step forward and three back, so that each time two more ticks are undone
		d.rewind(false)
		step()
		d.rewind(true)
		for range 3 {
			step()
		}
		if shown -= 2; height[d.Tick()] != height[shown] {
			t.Errorf("after %d rewinds the height is %v, not %v", n+1, height[d.Tick()], height[shown])
		}
	}
}

func TestAStepBackOfADamagedRecordingIsRefused(t *testing.T) {
	for name, e := range map[string]Entry{
		"no state":    {Kind: Step, Tick: 1, Dt: dt, Rewinds: restores},
		"not a kind":  {Kind: Step, Tick: 1, Dt: dt, Rewinds: 3, state: readShown([]byte{1})},
		"only states": {Kind: Step, Tick: 1, Dt: dt, state: readShown([]byte{1})},
	} {
		if e.check(0, 0) == nil {
			t.Errorf("%s: it is read", name)
		}
	}
	f := small(t)
	f.Entries = append(f.Entries, Entry{Kind: Begin, Tick: f.Ticks}, Entry{Kind: Step, Tick: f.Ticks + 1, Dt: dt, Rewinds: restores, state: readShown(packed([]byte("no state")))})
	f.Ending.Ticks++
	f.Ticks++
	if err := f.verify(nothing); err == nil {
		t.Error("a state that is none is shown")
	}
}

func TestBytesThatUnpackToTooMuchAreRefused(t *testing.T) {
	data := make([]byte, 5<<20)
	if got, err := unpacked(packed(data)); err != nil || len(got) != len(data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := unpacked(compress(data, 1)); err == nil {
		t.Error("a small file takes any memory")
	}
}

// BenchmarkRewind measures a step back in a world of 1,000 boxes, with and without a
// recording.
func BenchmarkRewind(b *testing.B) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		d := fall1000(b, Options{}, RollbackOptions{Ticks: 100}, stepper)
		b.Run(stepper.String()+"/back", func(b *testing.B) {
			d.rewind(true)
			for b.Loop() {
				d.step()
			}
		})
		b.Run(stepper.String()+"/step", func(b *testing.B) {
			d.rewind(false)
			for b.Loop() {
				d.step()
			}
		})
		b.Run(stepper.String()+"/written", func(b *testing.B) {
			for b.Loop() {
				e := Entry{}
				d.showState(&e)
				if _, err := e.state.bytes(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
