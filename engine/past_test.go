package engine

import (
	"errors"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/benchscene"
	"halfstep/internal/benchworld"
	"halfstep/internal/norace"
	"halfstep/physicsloop"
	"halfstep/world"
)

// drivenPast is a past that a test drives in place of the loop.
type drivenPast struct {
	*past
	link   *link
	states []body2d.State
}

func newDrivenPast(t testing.TB, c world.Config, o RollbackOptions, setup func(*world.World) error) *drivenPast {
	t.Helper()
	w := world.NewSimulation(c)
	t.Cleanup(w.Close)
	if err := setup(w.World()); err != nil {
		t.Fatal(err)
	}
	p, err := newPast(&recorder{Simulation: w}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	d := &drivenPast{past: p, link: buffer.NewLink[body2d.State, world.Event, world.Command]()}
	p.Start(&physicsloop.Outbox[world.Event]{Structure: d.link.Structure, Events: d.link.Events})
	d.show()
	return d
}

// step makes the calls of a frame of one step.
func (d *drivenPast) step(commands ...world.Command) {
	d.BeginFrame()
	for i := range commands {
		d.Apply(d.tick, &commands[i], true)
	}
	d.Step(d.tick+1, benchscene.StepSeconds)
	d.EndFrame()
	d.show()
}

// show captures, and takes what the render side would take.
func (d *drivenPast) show() {
	d.states = d.Capture(d.states)
	d.link.Structure.DropOldest(d.link.Structure.Count(), 0)
	d.link.Events.DropOldest(d.link.Events.Count(), 0)
}

// fall1000 is a thousand boxes in a pile: the scene of that name after 200 steps.
func fall1000(t testing.TB, o RollbackOptions, stepper world.Stepper) *drivenPast {
	s, err := benchscene.Build("fall1000")
	if err != nil {
		t.Fatal(err)
	}
	c := benchworld.Config()
	c.Stepper = stepper
	d := newDrivenPast(t, c, o, func(w *world.World) error { return benchworld.AddTo(w, s) })
	for range 200 {
		d.step()
	}
	return d
}

// A rollback of 8 ticks, again and again to the same one, against the same 8 steps
// without one.
func BenchmarkRollback(b *testing.B) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		b.Run(stepper.String(), func(b *testing.B) {
			benchmarkRollback(b, fall1000(b, RollbackOptions{Ticks: 16}, stepper))
		})
	}
}

func benchmarkRollback(b *testing.B, d *drivenPast) {
	b.Run("rollback", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.rollback(&rewind{to: d.tick - 8})
		}
	})
	b.Run("steps", func(b *testing.B) {
		b.ReportAllocs()
		d.rollback(&rewind{to: d.tick - 8})
		from := d.at(d.tick - 8)
		for b.Loop() {
			b.StopTimer()
			if err := d.Rewind(from.snapshot); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			for k := range uint64(8) {
				d.to.BeginFrame()
				d.to.Step(from.tick+k+1, benchscene.StepSeconds)
				d.to.EndFrame()
				d.states = d.to.Capture(d.states)
			}
		}
	})
	for _, part := range []string{"snapshot", "restore"} {
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				m := d.at(d.tick - 8)
				var err error
				if part == "snapshot" {
					d.snapshot(m)
				} else {
					err = d.Rewind(m.snapshot)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(d.at(d.tick-8).snapshot.Size()), "bytes")
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
	d := newDrivenPast(t, world.Config{NoSleep: true}, o, func(w *world.World) error {
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
	push := new(sink)
	world.NewCommands(push, nil).Force(boxes[0], world.Vec{Y: 1})
	for range 300 {
		d.step(*push...)
	}
	if n := testing.AllocsPerRun(50, func() { d.step(*push...) }); n != 0 {
		t.Errorf("%+v: %v allocations a step", o, n)
	}
	back := &rewind{blend: 1e8}
	if n := testing.AllocsPerRun(50, func() {
		back.to = d.tick - 8
		d.rollback(back)
		d.show()
		d.step(*push...)
	}); n != 0 {
		t.Errorf("%+v: %v allocations a rollback", o, n)
	}
}

// sink keeps the commands that it is sent.
type sink []world.Command

func (s *sink) Send(_ uint64, c world.Command) { *s = append(*s, c) }
func (s *sink) Room() int                      { return 1 }
