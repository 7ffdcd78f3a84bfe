package world

import (
	"math"
	"testing"
)

func TestAKinematicBodyIsWhereItWasToldToBeAfterTheNextStepAndStops(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Stepper: stepper})
		b := r.body(BodyDef{Kind: Kinematic, Position: Vec{X: 1, Y: 2}, Angle: 3, Shapes: []ShapeDef{CircleAt(2, 0, .5), Box(.2, .2)}})
		r.start()
		is := func(where string, position Vec, angle float64, v Vec, most float64) {
			t.Helper()
			in, err := r.Body(b)
			check(t, err)
			if in.Position.Sub(position).Len() > most || math.Abs(math.Remainder(in.Angle-angle, 2*math.Pi)) > most || in.Velocity.Sub(v).Len() > most {
				t.Errorf("%v, %s: %+v, want %v, %v, velocity %v", stepper, where, in, position, angle, v)
			}
		}
		info := func() BodyInfo { in, _ := r.Body(b); return in }
		in := info()
		arm := in.Centre.Sub(in.Position)
		from := Vec{X: 1, Y: 2}
		for i, to := range []Vec{{X: 1.5, Y: 2.5}, {X: 1.5, Y: 2.5}, {X: .9, Y: 3}, {X: 2, Y: 2}} {
			angle := 3 + float64(i)/3 // over π
			check(t, r.MoveTo(b, to, angle))
			r.run(1)
			turned := arm.Rotate(angle - 3).Sub(arm.Rotate(max(angle-1./3, 3) - 3))
			is("on its way", to, angle, to.Sub(from).Add(turned).Mul(1/dt), 1e-6)
			from = to
		}
		r.run(1)
		is("afterwards", from, 4, Vec{}, 1e-6)
		r.run(9)
		is("later", from, 4, Vec{}, 1e-6)
		check(t, r.MoveTo(b, from, 4.1-2*math.Pi))
		if r.run(1); !near(info().AngularVelocity, .1/dt, 1e-6) {
			t.Errorf("%v: it turns the longer way, at %v", stepper, info().AngularVelocity)
		}
		check(t, r.MoveTo(b, from, 4))
		r.run(2)
		// A velocity that is set later replaces the target.
		check(t, r.MoveTo(b, Vec{X: 9, Y: 9}, 0))
		check(t, r.SetVelocity(b, Vec{X: 1}))
		check(t, r.SetAngularVelocity(b, 0))
		r.run(60)
		is("with a velocity", from.Add(Vec{X: 1}), 4, Vec{X: 1}, 1e-6)
		for _, other := range []Body{r.box(0, 5), r.body(BodyDef{}), 99} {
			if err := r.MoveTo(other, Vec{}, 0); !oneLine(err) {
				t.Errorf("%v: %v", other, err)
			}
		}
		if err := r.MoveTo(b, Vec{X: nan, Y: 0}, 0); !oneLine(err) {
			t.Error(err)
		}
	}
}

func TestWhatIsMovedToAPlaceCarriesAndIsKeptBySnapshots(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Stepper: stepper})
		lift := r.body(BodyDef{Kind: Kinematic, Shapes: []ShapeDef{Box(3, .5)}})
		box := r.box(0, 1.01)
		r.start()
		r.run(30)
		for i := range 60 {
			check(t, r.MoveTo(lift, Vec{Y: .03 * float64(i+1)}, 0))
			r.run(1)
		}
		if y := r.at(box).Y; math.Abs(y-1.8-1) > .03 {
			t.Errorf("%v: the box is at %v", stepper, y)
		}
		check(t, r.MoveTo(lift, Vec{Y: 2}, .1))
		var shot Snapshot
		check(t, r.Snapshot(&shot))
		bytes, err := shot.MarshalBinary()
		check(t, err)
		r.run(5)
		hash := r.StateHash()
		if y := r.at(lift).Y; !near(y, 2, 1e-6) {
			t.Errorf("%v: the lift is at %v", stepper, y)
		}
		check(t, r.SetVelocity(lift, Vec{X: 1}))
		r.run(3)
		check(t, r.Restore(&shot))
		if r.run(5); r.StateHash() != hash {
			t.Errorf("%v: after a snapshot it goes elsewhere: %v", stepper, r.at(lift))
		}
		loaded, err := LoadSnapshot(bytes)
		check(t, err)
		check(t, r.Restore(loaded))
		if r.run(5); r.StateHash() != hash {
			t.Errorf("%v: after a snapshot from bytes it goes elsewhere: %v", stepper, r.at(lift))
		}
	}
}

// MoveTo computes the velocity of a body at once, from the length of the last step. So a
// restore brings that length back, too, even in another process. Before the first step it is
// 0.
func TestABodyThatIsToldWhereToBeHasOneVelocityAfterEveryRestore(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Stepper: stepper})
		b := r.body(BodyDef{Kind: Kinematic})
		told := func(w *World) float64 {
			check(t, w.MoveTo(b, Vec{X: .1}, 0))
			in, err := w.Body(b)
			check(t, err)
			return in.Velocity.X
		}
		var s [2]Snapshot
		check(t, r.Snapshot(&s[0]))
		r.run(1)
		check(t, r.Snapshot(&s[1]))
		r.Step(2, 1) // of another length
		for i, want := range []float64{0, .1 / dt} {
			check(t, r.Restore(&s[i]))
			if v := told(r.World); !near(v, want, 1e-9) {
				t.Errorf("%v: back in tick %d, it has a velocity of %v m/s, not %v", stepper, i, v, want)
			}
			data, err := s[i].MarshalBinary()
			check(t, err)
			loaded, err := LoadSnapshot(data)
			check(t, err)
			other := newRig(t, Config{Stepper: stepper})
			check(t, other.Restore(loaded))
			if v := told(other.World); !near(v, want, 1e-9) {
				t.Errorf("%v: in another process, in tick %d, it has a velocity of %v m/s, not %v", stepper, i, v, want)
			}
		}
	}
}
