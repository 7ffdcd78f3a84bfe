package history

import (
	"errors"
	"testing"

	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/test/norace"
	"halfstep/world"
)

// fall1000 returns a thousand boxes in a pile: the scene of that name after 200
// steps.
func fall1000(t testing.TB, o Options, back RollbackOptions, stepper world.Stepper) *driven {
	s, err := benchscene.Build("fall1000")
	if err != nil {
		t.Fatal(err)
	}
	c := benchworld.Config()
	c.Stepper = stepper
	d := drive(t, c, o, back, func(w *world.World) error { return benchworld.AddTo(w, s) })
	d.begin()
	for range 200 {
		d.step()
	}
	return d
}

// plain makes a step without keeping anything of it.
func (d *driven) plain(tick uint64) {
	d.Simulation.BeginFrame()
	d.Simulation.Step(tick, dt)
	d.Simulation.EndFrame()
	d.states = d.Simulation.Capture(d.states)
}

// The benchmark compares a rollback of 8 ticks, made repeatedly to the same
// tick, with the same 8 steps without a rollback.
func BenchmarkRollback(b *testing.B) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		b.Run(stepper.String(), func(b *testing.B) {
			benchmarkRollback(b, fall1000(b, Options{}, RollbackOptions{Ticks: 16}, stepper))
		})
	}
}

func benchmarkRollback(b *testing.B, d *driven) {
	b.Run("rollback", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.back.rollBack(&Rollback{To: d.tick - 8})
		}
	})
	b.Run("steps", func(b *testing.B) {
		b.ReportAllocs()
		d.back.rollBack(&Rollback{To: d.tick - 8})
		from := d.back.ticks.keptAt(d.tick - 8).Start
		for b.Loop() {
			b.StopTimer()
			if err := private.GoBack(d.Simulation, from.saved.Snapshot); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			for k := range uint64(8) {
				d.plain(from.Tick + k + 1)
			}
		}
	})
	for _, part := range []string{"snapshot", "restore"} {
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				m := d.back.ticks.keptAt(d.tick - 8)
				var err error
				if part == "snapshot" {
					d.back.keepState(m)
				} else {
					err = private.GoBack(d.Simulation, m.Start.saved.Snapshot)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(d.back.ticks.keptAt(d.tick-8).Start.saved.Snapshot.Size()), "bytes")
		})
	}
}

func TestKeepingThePastAndGoingBackAllocateNothing(t *testing.T) {
	norace.Only(t)
	for _, every := range []int{1, 3} {
		keepAndGoBack(t, RollbackOptions{Ticks: 8, Every: every})
	}
}

func keepAndGoBack(t *testing.T, o RollbackOptions) {
	var boxes []world.Body
	d := drive(t, world.Config{NoSleep: true}, Options{}, o, func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(100, .5)}})
		for i := range 50 {
			b, e := w.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: float64(i/5) * 1.5, Y: 1 + float64(i%5)},
				Shapes: []world.ShapeDef{world.Box(.5, .5)},
			})
			boxes, err = append(boxes, b), errors.Join(err, e)
		}
		return err
	})
	d.begin()
	push := new(commandList)
	private.NewCommands(push, nil).Force(boxes[0], world.Vec{Y: 1})
	for range 300 {
		d.step(*push...)
	}
	if n := testing.AllocsPerRun(50, func() { d.step(*push...) }); n != 0 {
		t.Errorf("%+v: %v allocations a step", o, n)
	}
	back := &Rollback{Blend: .1}
	goBack := func() {
		back.To = d.tick - 8
		d.back.rollBack(back)
		d.show()
		d.step(*push...)
	}
	for range 200 { // run until there are enough pages
		goBack()
	}
	if n := testing.AllocsPerRun(50, goBack); n != 0 {
		t.Errorf("%+v: %v allocations a rollback", o, n)
	}
}
