package world

import (
	"math"
	"math/rand/v2"
	"testing"
)

func nearVec(a, b Vec, eps float64) bool { return near(a.X, b.X, eps) && near(a.Y, b.Y, eps) }

// Box2D's own results are the reference.
func TestABodysPointsAndVelocitiesAreBox2Ds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	r := newRig(t, Config{NoGravity: true})
	vec := func() Vec { return Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()} }
	for range 20 {
		b := r.body(BodyDef{
			Kind: Dynamic, Position: vec(), Angle: 9 * rng.NormFloat64(), Velocity: vec(), AngularVelocity: rng.NormFloat64(),
			Shapes: []ShapeDef{CircleAt(rng.Float64(), 1, .5)},
		})
		i, raw, v := r.info(b), r.BodyPointer(b), vec()
		const eps = 1e-12
		for name, ok := range map[string]bool{
			"world point":  nearVec(i.WorldPoint(v), fromB2(raw.GetWorldPoint(b2vec(v))), eps),
			"local point":  nearVec(i.LocalPoint(v), fromB2(raw.GetLocalPoint(b2vec(v))), eps),
			"world vector": nearVec(i.WorldVector(v), fromB2(raw.GetWorldVector(b2vec(v))), eps),
			"local vector": nearVec(i.LocalVector(v), fromB2(raw.GetLocalVector(b2vec(v))), eps),
			"velocity":     nearVec(i.VelocityAt(v), fromB2(raw.GetLinearVelocityFromWorldPoint(b2vec(v))), eps),
		} {
			if !ok {
				t.Errorf("%s of %v in %+v", name, v, i)
			}
		}
	}
}

func TestKineticEnergyIsWhatAFallGives(t *testing.T) {
	r := newRig(t, Config{Gravity: Vec{X: 0, Y: -10}})
	b := r.body(BodyDef{Kind: Dynamic, AngularVelocity: 3, Shapes: []ShapeDef{Box(.5, 1)}})
	r.start()
	turning := r.info(b).KineticEnergy()
	if want := 2 * (1 + 4) / 12. * 9 / 2; !near(turning, want, 1e-9) {
		t.Errorf("turning: %v J, want %v", turning, want)
	}
	r.run(30)
	v := 10 * .5
	if got, want := r.info(b).KineticEnergy()-turning, 2*v*v/2; !near(got, want, tiny*math.Abs(want)) {
		t.Errorf("falling: %v J, want %v", got, want)
	}
	if e := r.info(r.body(BodyDef{Kind: Kinematic, Velocity: Vec{X: 1, Y: 1}, Shapes: []ShapeDef{Box(1, 1)}})).KineticEnergy(); e != 0 {
		t.Errorf("a kinematic body has %v J", e)
	}
}
