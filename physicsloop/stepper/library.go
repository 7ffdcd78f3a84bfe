package stepper

import "halfstep/internal/b2"

// What package soft still takes from here.
var (
	BaseContact   = b2.BaseContact
	BaseJoint     = b2.BaseJoint
	NewContact    = b2.NewContact
	ShouldCollide = b2.ShouldCollide
)
