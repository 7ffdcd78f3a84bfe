package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// A referee makes a random world and checks it only by physics: conserved quantities,
// bodies at rest, and known formulas for simple machines. Nothing here compares a world
// with another version or stepper.
type referee struct {
	name  string
	judge func(j *judged)
}

// referees returns all referees. In each, a tolerance stands beside its law.
func referees() []referee {
	all := []referee{
		{"closed: bodies that collide", closedCollisions},
		{"closed: joined bodies that touch", func(j *judged) {
			closedJoints(j, []world.JointKind{world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WheelJoint, world.WeldJoint, world.RopeJoint}[j.IntN(6)], true)
		}},
		{"closed: gears, each with frames of its own", func(j *judged) { closedGears(j, false) }},
		{"closed: gears on one frame", func(j *judged) { closedGears(j, true) }},
		{"wall: a shot at what is before a body", shots},
		{"rest: stacks", restStacks},
		{"rest: slopes", restSlopes},
		{"rest: hanging things", restHanging},
		{"told: impulses of contacts without friction", func(j *judged) { toldImpulses(j, 0) }},
		{"told: impulses of contacts with friction", func(j *judged) { toldImpulses(j, 1) }},
		{"known: pendulum", knownPendulum},
		{"known: spring", knownSpring},
		{"known: rolling and sliding down", knownSlopes},
		{"known: braking", knownBraking},
		{"known: Atwood's machine", knownAtwood},
		{"known: impacts of two discs", knownImpacts},
		{"known: projectile", knownProjectile},
		{"known: bounces", knownBounces},
		{"known: bounces of a plank", knownPlank},
		{"known: what floats", knownFloating},
		{"known: what turns together", knownTurning},
		{"same: turned and moved", func(j *judged) { sameElsewhere(j, false) }},
		{"same: mirrored", func(j *judged) { sameElsewhere(j, true) }},
		{"same: at any rate", sameAtAnyRate},
	}
	for kind := range world.JointKind(world.MotorJoint + 1) {
		switch kind {
		case world.PulleyJoint, world.MouseJoint: // these kinds pull at the world
		case world.GearJoint:
		default:
			all = append(all, referee{"closed: joints, " + kind.String(), func(j *judged) { closedJoints(j, kind, false) }})
		}
		switch kind {
		case world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint, world.WeldJoint:
			all = append(all, referee{"closed: a row, " + kind.String(), func(j *judged) { closedRow(j, kind) }})
		}
		switch kind {
		case world.GearJoint, world.MouseJoint:
		default:
			all = append(all, referee{"told: forces of joints, " + kind.String(), func(j *judged) { toldForces(j, kind) }})
		}
	}
	return all
}

// knownFaults has the referees that find known faults of the soft stepper, with their
// findings. The list should be empty.
var knownFaults = map[string]string{
	"same: mirrored":             "of two points, one comes first",
	"closed: gears on one frame": "energy is gained",
}

// judged has the data of a referee.
type judged struct {
	testing.TB
	*rand.Rand
	way     world.Stepper
	name    string
	verdict func(string) // nil means an error
}

func (j *judged) between(what string, got, low, high float64) bool {
	j.Helper()
	if got >= low && got <= high {
		return true
	}
	message := fmt.Sprintf("%s, %v: %s is %.5g; right is %.5g to %.5g", j.name, j.way, what, got, low, high)
	if j.verdict != nil {
		j.verdict(message)
	} else {
		j.Error(message)
	}
	return false
}

func (j *judged) span(low, high float64) float64 { return low + (high-low)*j.Float64() }

func (j *judged) vec(most float64) world.Vec {
	return world.Vec{X: j.span(-most, most), Y: j.span(-most, most)}
}

func (j *judged) world(c world.Config) *situation {
	c.Stepper, c.Workers = j.way, 1
	return newSituation(j.TB, c)
}

// shape is a shape of any kind that has a mass. It reaches at most half a metre from
// its middle.
func (j *judged) shape() world.ShapeDef {
	var d world.ShapeDef
	switch j.IntN(4) {
	case 0:
		d = world.Circle(j.span(.15, .45))
	case 1:
		d = world.Box(j.span(.15, .45), j.span(.15, .35))
	case 2:
		d = world.CircleAt(j.span(-.2, .2), j.span(-.2, .2), j.span(.15, .3)) // its centre is elsewhere
	default:
		n, r := 3+j.IntN(5), j.span(.25, .45)
		d = world.Polygon()
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			d.Points = append(d.Points, world.Vec{X: r * cos, Y: r * sin})
		}
		d.Density, d.Friction = 1, .2
	}
	d.Density = math.Exp(j.span(-1.5, 1.5)) // one of two joined bodies may be much lighter than the other
	return d
}

// Random worlds are checked only by physics.
func TestAttackLawsOfMechanics(t *testing.T) {
	a := attack.Start(t)
	all := referees()
	for r := range a.Rounds() {
		way := steppers[r.IntN(len(steppers))]
		f := all[r.IntN(len(all))]
		if way == world.SoftStep && knownFaults[f.name] != "" {
			continue
		}
		f.judge(&judged{TB: a, Rand: r, way: way, name: f.name})
		a.Count("verdicts", 1)
	}
}

// A few worlds of each kind, with every stepper, obey the general laws of motion.
func TestRefereesOfPhysicsFindNothing(t *testing.T) {
	norace.Only(t)
	for _, f := range referees() {
		for _, way := range steppers {
			t.Run(fmt.Sprintf("%s/%v", f.name, way), func(t *testing.T) {
				if fault := knownFaults[f.name]; way == world.SoftStep && fault != "" {
					t.Skip(fault)
				}
				for seed := range uint64(whole.Rounds(12, 4)) {
					f.judge(&judged{TB: t, Rand: rand.New(rand.NewPCG(seed, 51)), way: way, name: fmt.Sprintf("%s, seed %d", f.name, seed)})
				}
			})
		}
	}
}
