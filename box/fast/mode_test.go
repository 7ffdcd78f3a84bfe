package fast

import (
	"math"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// listens is a contact listener that does nothing.
type listens struct{}

func (listens) BeginContact(box2d.B2ContactInterface)                       {}
func (listens) EndContact(box2d.B2ContactInterface)                         {}
func (listens) PreSolve(box2d.B2ContactInterface, box2d.B2Manifold)         {}
func (listens) PostSolve(box2d.B2ContactInterface, *box2d.B2ContactImpulse) {}

// promises is a listener that may promise not to change the world in PostSolve.
type promises struct {
	listens
	readOnly bool
}

func (p promises) ReadOnlyPostSolve() bool { return p.readOnly }

type filter struct{ box2d.B2ContactFilter }

// static and other return a body of the scene: static one that is static, and other one
// that is not.
func static(w *box2d.B2World) *box2d.B2Body { return findBody(w, true) }
func other(w *box2d.B2World) *box2d.B2Body  { return findBody(w, false) }

func findBody(w *box2d.B2World, static bool) *box2d.B2Body {
	b := w.GetBodyList()
	for (b.GetType() == b2.StaticBody) != static {
		b = b.GetNext()
	}
	return b
}

func addGearJoint(w *box2d.B2World) {
	revolute := func(b *box2d.B2Body) box2d.B2JointInterface {
		def := box2d.MakeB2RevoluteJointDef()
		def.Initialize(static(w), b, b.GetPosition())
		return w.CreateJoint(&def)
	}
	a := other(w)
	b := a.GetNext()
	for b.GetType() == b2.StaticBody {
		b = b.GetNext()
	}
	def := box2d.MakeB2GearJointDef()
	def.BodyA, def.BodyB = a, b
	def.Joint1, def.Joint2 = revolute(a), revolute(b)
	def.Ratio = 1
	w.CreateJoint(&def)
}

func TestTheModeIsTheFastestThatIsSafe(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(w *box2d.B2World)
		workers int
		want    stepMode
	}{
		{"no callbacks", func(*box2d.B2World) {}, 1, stepMode{callbacksNone, solveCollected}},
		{"workers", func(*box2d.B2World) {}, 2, stepMode{callbacksNone, solveParallel}},
		{"the library's filter", func(w *box2d.B2World) { w.SetContactFilter(&box2d.B2ContactFilter{}) }, 1, stepMode{callbacksNone, solveCollected}},
		{"a filter", func(w *box2d.B2World) { w.SetContactFilter(&filter{}) }, 1, stepMode{callbacksReadOnly, solveCollected}},
		{"flags outlive the step", func(w *box2d.B2World) { w.M_continuousPhysics = false }, 1, stepMode{callbacksReadOnly, solveCollected}},
		{"a listener", func(w *box2d.B2World) { w.SetContactListener(listens{}) }, 2, stepMode{callbacksMayWrite, solveOneByOne}},
		{"a listener that promises nothing", func(w *box2d.B2World) { w.SetContactListener(promises{}) }, 2, stepMode{callbacksMayWrite, solveOneByOne}},
		{"a listener that promises", func(w *box2d.B2World) { w.SetContactListener(promises{readOnly: true}) }, 2, stepMode{callbacksReadOnly, solveParallel}},
		{"a gear joint", addGearJoint, 2, stepMode{callbacksNone, solveOneByOne}},
		{"a static body with a velocity", func(w *box2d.B2World) { static(w).M_linearVelocity.X = 1 }, 2, stepMode{callbacksNone, solveInLibraryOrder}},
		{"a great speed", func(w *box2d.B2World) { other(w).M_angularVelocity = overflowLimit }, 2, stepMode{callbacksNone, solveInLibraryOrder}},
		{"an infinite mass", func(w *box2d.B2World) { other(w).M_invMass = math.Inf(1) }, 2, stepMode{callbacksNone, solveInLibraryOrder}},
	} {
		w := SceneWorld(t, "jointgrid")
		for range 2 { // islands of their own
			def := box2d.MakeB2BodyDef()
			def.Type, def.Position = b2.DynamicBody, box2d.MakeB2Vec2(1000, 1000)
			b := w.CreateBody(&def)
			shape := box2d.MakeB2CircleShape()
			shape.SetRadius(1)
			b.CreateFixture(&shape, 1)
		}
		c.change(w)
		s := New(w, Options{Workers: c.workers})
		s.ForceParallel()
		s.Step(1.0/60, 1, 1)
		s.Close()
		if s.mode != c.want {
			t.Errorf("%s: mode %+v, want %+v", c.name, s.mode, c.want)
		}
	}
}
