package world

import (
	"errors"
	"strings"
	"testing"
)

func TestStaleNamesNeverReachAnotherBody(t *testing.T) {
	r := newRig(t, gravity())
	old := r.box(0, 0)
	r.start()
	check(t, r.DestroyBody(old))
	b := r.box(0, 0)
	was, _ := r.slotOf(b)
	if was != 0 {
		t.Fatalf("slot %d: the test wants the slot used again", was)
	}
	before := r.at(b)
	ops := []opcode{opDestroyBody, opForce, opForceAt, opTorque, opImpulse, opImpulseAt, opAngularImpulse, opVelocity,
		opAngularVelocity, opTeleport, opShift, opMoveTo, opSetKind, opSetAwake, opSetEnabled, opSetBullet, opSetGravityScale,
		opSetDamping, opSetFixedRotation, opSetFixedAxes, opSetSmoothing, opSetName}
	for _, op := range ops {
		r.apply(Command{Op: op, Body: old, V: Vec{X: 1, Y: 1}, P: Vec{X: 5, Y: 5}, X: 2})
	}
	r.apply(Command{Op: opDestroyShape, Shape: 99}, Command{Op: opDestroyJoint, Joint: 99})
	got := only(r.events(), CommandRejected)
	if len(got) != len(ops)+2 || r.news.rejected != uint64(len(got)) {
		t.Errorf("%d of %d rejected, %d counted", len(got), len(ops)+2, r.news.rejected)
	}
	for _, e := range got {
		if !errors.Is(e.Err, ErrStale) || strings.Contains(e.Err.Error(), "\n") {
			t.Errorf("error %q", e.Err)
		}
	}
	if r.at(b) != before || r.speed(b) != (Vec{}) {
		t.Error("the command reached another body")
	}
}
