package history

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
)

// edited returns a recording of some frames in which bodies are pushed and edited at random.
func edited(t *testing.T, r *rand.Rand, stepper world.Stepper) (*File, func(*world.World) error) {
	t.Helper()
	setup := func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, .5)}})
		for i := range 6 {
			d := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i%3) - 1, Y: 1 + float64(i/3)}, Shapes: []world.ShapeDef{world.Box(.4, .4)}}
			if i%2 == 0 {
				d.Mass = &world.Mass{Mass: 1, Inertia: 1}
			}
			_, made := w.CreateBody(d)
			err = errors.Join(err, made)
		}
		return err
	}
	var data bytes.Buffer
	w, err := NewWriter(WriterOptions{W: &data, FromSetup: true})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, world.Config{Gravity: world.Vec{Y: -10}, Stepper: stepper, Workers: 1}, Options{}, RollbackOptions{}, setup)
	if err := d.Record(w); err != nil {
		t.Fatal(err)
	}
	d.begin()
	var bodies []world.Body
	for b := range d.World().Bodies() {
		bodies = append(bodies, b)
	}
	for range 60 {
		given := new(commandList)
		c := private.NewCommands(given, d.Simulation)
		for range r.IntN(4) {
			b := bodies[1+r.IntN(len(bodies)-1)]
			shapes, _ := d.World().Shapes(b)
			s := shapes[r.IntN(len(shapes))]
			by := world.Vec{X: r.NormFloat64()}
			switch r.IntN(8) {
			case 0, 1:
				c.Force(b, by.Mul(20))
			case 2:
				c.SetFriction(s, r.Float64())
			case 3:
				c.CreateShape(b, world.CircleAt(by.X, 0, .2))
			case 4:
				c.Shift(b, by)
				c.Shift(b, by.Mul(-1))
			case 5:
				c.SetFixedRotation(b, true)
				c.SetFixedRotation(b, false)
			case 6:
				c.SetDensity(s, 1+r.Float64())
			case 7:
				c.Teleport(b, world.Vec{X: by.X, Y: 3}, 0)
			}
		}
		d.Predictor.ObserveFrame(&frame)
		d.Predictor.BeginFrame()
		for i := range *given {
			d.Predictor.Apply(d.Tick(), &(*given)[i], false)
		}
		if steps := r.IntN(4); steps > 0 {
			for range steps {
				d.Predictor.Step(d.Tick()+1, dt)
			}
			d.Predictor.EndFrame()
		}
		d.show()
	}
	d.EndRecording(w, true)
	<-w.Done()
	f, err := read(&data)
	if err = errors.Join(w.Err(), err); err != nil {
		t.Fatal(err)
	}
	return f, setup
}

// A keyframe is taken at the end of a frame, when the forces of the frame have ended. It is
// then compressed, so that it is restored from bytes.
func TestATickHasOneHashWhetherAStepOrAKeyframeLedThere(t *testing.T) {
	norace.Only(t)
	gap, cost := KeyframeGap, KeyframeCost
	KeyframeGap, KeyframeCost = 0, 0
	t.Cleanup(func() { KeyframeGap, KeyframeCost = gap, cost })
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 69))
		f, setup := edited(t, r, [...]world.Stepper{world.FastStep, world.SoftStep}[seed%2])
		w := world.NewSimulation(f.Header.World)
		defer w.Close()
		if err := setup(w.World()); err != nil {
			t.Fatal(err)
		}
		p, err := play(w, ReplayOptions{File: f, Differs: func(d Difference) error { return errDiffers }})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		hashes := map[uint64]uint64{}
		look := func(how string) {
			hash := w.World().StateHash()
			if was, ok := hashes[p.Tick()]; ok && was != hash {
				t.Fatalf("seed %d, tick %d: %s led to another hash", seed, p.Tick(), how)
			}
			hashes[p.Tick()] = hash
		}
		look("the beginning")
		for p.Tick() < f.Ticks {
			if err := p.GoTo(p.Tick() + 1); err != nil {
				t.Fatal(err)
			}
			look("a step")
		}
		keys, _ := p.Keyframes()
		if len(keys) < 20 {
			t.Fatalf("a dull test: keyframes at %d", keys)
		}
		for range 40 {
			to := r.Uint64N(f.Ticks)
			if err := p.GoTo(to); err != nil {
				t.Fatalf("seed %d, to tick %d: %v", seed, to, err)
			}
			look("a seek")
			for range r.Uint64N(min(5, f.Ticks-to)) {
				if err := p.GoTo(p.Tick() + 1); err != nil {
					t.Fatalf("seed %d, to tick %d: %v", seed, p.Tick(), err)
				}
				look("a step after a seek")
			}
		}
	}
}
