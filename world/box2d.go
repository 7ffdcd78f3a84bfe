package world

import (
	"reflect"
	"sync"

	"github.com/ByteArena/box2d"
)

// Box2D returns Box2D's own world. The package comment lists its allowed uses. The world must not be
// kept after the function that called Box2D has returned. Box2D does not know capsules and round
// corners, so their bodies and shapes must be destroyed by the methods of World.
func (w *World) Box2D() *box2d.B2World {
	w.checkGoroutine()
	w.expose()
	return w.b2
}

// BodyPointer returns Box2D's own body, or nil if the body does not exist. The pointer must not be
// kept after the function that called BodyPointer has returned.
func (w *World) BodyPointer(b Body) *box2d.B2Body {
	w.checkGoroutine()
	if r := w.registry.bodies[b]; r != nil {
		w.expose()
		return r.b
	}
	return nil
}

// expose marks all bodies as changed, because the caller may change any of them through Box2D.
func (w *World) expose() {
	w.box.Expose()
	w.places.changed.MarkAll(len(w.places.slots))
}

// HandleOf returns the handle of one of Box2D's bodies, or zero if the body has none.
func (w *World) HandleOf(body *box2d.B2Body) Body {
	w.checkGoroutine()
	return handleOf(body)
}

// handleOf returns the handle of a body, or zero if the body has none.
func handleOf(b *box2d.B2Body) Body {
	if r := recordOf(b); r != nil {
		return r.handle
	}
	return 0
}

// HandleOfShape returns the handle of one of Box2D's fixtures, or zero if the fixture has none.
func (w *World) HandleOfShape(fixture *box2d.B2Fixture) Shape {
	w.checkGoroutine()
	if fixture == nil {
		return 0
	}
	if s := shapeOf(fixture); s != nil && s.fix == fixture {
		return s.handle
	}
	return 0
}

// HandleOfJoint returns the handle of one of Box2D's joints, or zero if the joint has none.
func (w *World) HandleOfJoint(j box2d.B2JointInterface) Joint {
	w.checkGoroutine()
	if v := reflect.ValueOf(j); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0
	}
	if r := jointOf(j); r != nil && w.registry.joints[r.handle] == r {
		return r.handle
	}
	return 0
}

// recordOf returns the world's record of a body. It returns nil for a body made through World.Box2D.
func recordOf(b *box2d.B2Body) *body {
	if b == nil {
		return nil
	}
	r, _ := b.M_userData.(*body)
	return r
}

// shapeOf returns the world's record of a fixture. It returns nil for a fixture made through World.Box2D.
func shapeOf(f *box2d.B2Fixture) *shape {
	s, _ := f.M_userData.(*shape)
	return s
}

// jointOf returns the world's record of a joint. It returns nil for a joint made through World.Box2D.
func jointOf(j box2d.B2JointInterface) *joint {
	r, _ := j.GetUserData().(*joint)
	return r
}

// slotOf returns the slot of a body. It returns -1 for a body made through World.Box2D.
func slotOf(b *box2d.B2Body) int32 {
	if r := recordOf(b); r != nil {
		return r.slot
	}
	return -1
}

// Box2D counts its distance and time-of-impact queries in variables of its package. The lock globals
// prevents a data race between two worlds on two goroutines. Package fast does not use these variables.
var globals sync.Mutex

// libraryStep is Box2D's own step; see StepAsLibrary in exports.go. Meanwhile sliders whose limits are
// close together have other settings, which callbacks can see: see box.World.LockSliders.
func (w *World) libraryStep(dt float64, velocityIterations, positionIterations int) {
	globals.Lock()
	defer globals.Unlock()
	w.box.FindPairsAsLibrary()
	defer w.box.LockSliders()()
	w.b2.Step(dt, velocityIterations, positionIterations)
}
