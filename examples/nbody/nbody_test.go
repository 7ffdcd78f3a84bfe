package main

import (
	"math"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine/core"
	"halfstep/renderloop"
)

// turned is an orientation turned about z by an angle.
func turned(angle float64) quat {
	return quat{float32(math.Cos(angle / 2)), 0, 0, float32(math.Sin(angle / 2))}
}

func TestOrientationsTurnAtAnEvenPaceTheShortWayRound(t *testing.T) {
	for _, to := range []float64{.001, .3, 2.5, -2.5} {
		for _, sign := range []float32{1, -1} { // the same orientation twice
			b := turned(to)
			for i := range b {
				b[i] *= sign
			}
			for _, at := range []float32{0, .25, .5, 1} {
				q := slerp(turned(0), b, at)
				angle := 2 * math.Atan2(float64(q[3]), float64(q[0]))
				if math.Abs(angle-float64(at)*to) > 1e-6 {
					t.Errorf("%v of the way to %v: %v", at, to, angle)
				}
			}
		}
	}
}

func TestTheFrameShowsWhatLiesBetweenTwoTicks(t *testing.T) {
	w, err := newWorld(newSystem(5), core.Config{Simulated: true, Sync: renderloop.Lockstep})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Advance(time.Second / 60 * 10)
	v := w.Advance(time.Second / 120)
	if v.Alpha < .4 || v.Alpha > .6 {
		t.Fatalf("alpha %v", v.Alpha)
	}
	for i := range v.Cur {
		s := shown(v, i)
		for k := range 3 {
			p, c := float64(v.Prev[i].place[k]), float64(v.Cur[i].place[k])
			if got, want := float64(s.place[k]), p+float64(v.Alpha)*(c-p); math.Abs(got-want) > 1e-5 {
				t.Errorf("body %d is at %v, want %v", i, got, want)
			}
		}
		n := 0.0
		for _, x := range s.facing {
			n += float64(x) * float64(x)
		}
		if math.Abs(n-1) > 1e-5 {
			t.Errorf("body %d: an orientation of length² %v", i, n)
		}
	}
}

func TestTheSystemIsTheSameAtAnyFrameRate(t *testing.T) {
	hashes := map[uint64]bool{}
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
		for _, fps := range []time.Duration{25, 60, 1000} {
			w, err := newWorld(newSystem(30), core.Config{Simulated: true, Sync: sync})
			if err != nil {
				t.Fatal(err)
			}
			w.Clock().SetLast(200)
			w.SendAt(50, command{kick: [3]float64{1, 2, 3}})
			v := w.View()
			for v.Tick < 200 {
				v = w.Advance(time.Second / fps)
			}
			hashes[hash(v.Cur)] = true
			w.Close()
		}
	}
	if len(hashes) != 1 {
		t.Errorf("%d hashes of one system", len(hashes))
	}
}

func TestEnergyAndMomentumKeep(t *testing.T) {
	s := newSystem(40)
	s.Start(&buffer.Outbox[event]{Events: buffer.NewLog[event]()})
	before := s.measure()
	for i := range 2000 {
		s.Step(uint64(i+1), 1./60)
	}
	after := s.measure()
	if math.Abs(after.energy/before.energy-1) > 1e-3 || math.Abs(after.spin/before.spin-1) > 1e-3 ||
		math.Abs(after.momentum-before.momentum) > 1e-9 {
		t.Errorf("%+v became %+v", before, after)
	}
}
