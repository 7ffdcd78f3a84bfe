package v3scene

import (
	"math"

	"halfstep/world"
)

// bone is a part of a ragdoll: a capsule from low to high about the y axis. A joint at the pivot
// connects it to its parent. It may turn from the angle least to the angle most.
type bone struct {
	parent      int     // index in bones; -1 for the first bone
	y           float64 // height of the bone's origin above the ragdoll's origin, m
	low, high   float64 // m
	radius      float64 // m
	pivot       float64 // height of the pivot above the ragdoll's origin, m
	least, most float64 // half turns
	reference   float64 // half turns
	friction    float64 // in parts of jointFriction
	damping     float64 // 1/s
	foot        bool
}

const jointFriction, jointHertz, jointDamping = .05, 5, .5 // N·m, Hz, of 1

var (
	thigh   = bone{parent: 0, y: .775, low: -.125, high: .125, radius: .06, pivot: .9, least: -.05, most: .4, friction: 1}
	shin    = bone{y: .475, low: -.155, high: .125, radius: .045, pivot: .625, least: -.5, most: -.02, friction: .5, foot: true}
	arm     = bone{parent: 1, y: 1.225, low: -.125, high: .125, radius: .035, pivot: 1.35, least: -.1, most: .8, friction: .5}
	forearm = bone{y: .975, low: -.125, high: .125, radius: .03, pivot: 1.1, least: -.2, most: .3, reference: .25, friction: .1, damping: .1}
)

var bones = [...]bone{
	{parent: -1, y: .95, low: -.02, high: .02, radius: .095}, // the hip
	{parent: 0, y: 1.2, low: -.135, high: .135, radius: .09, pivot: 1, least: -.25, friction: .5},
	{parent: 1, y: 1.475, low: -.038, high: .039, radius: .075, pivot: 1.4, least: -.3, most: .1, friction: .25, damping: .1},
	thigh, shin.of(3), thigh, shin.of(5),
	arm, forearm.of(7), arm, forearm.of(9),
}

// of returns the same bone with another parent.
func (b bone) of(parent int) bone {
	b.parent = parent
	return b
}

type ragdoll [len(bones)]world.Body

// anatomy has the shapes of each bone of a ragdoll. Bones do not collide with each other, even
// if they belong to different ragdolls of one group.
type anatomy [len(bones)][]world.ShapeDef

func newAnatomy(group int) *anatomy {
	var a anatomy
	for i, b := range bones {
		limb := world.Capsule(world.Vec{Y: b.low}, world.Vec{Y: b.high}, b.radius)
		limb.Filter = world.Filter{Category: 2, Mask: 1 | 2, Group: -int16(group)}
		if a[i] = append(a[i], limb); b.foot {
			foot := world.Polygon(world.Vec{X: -.03, Y: -.185}, world.Vec{X: .11, Y: -.185}, world.Vec{X: .11, Y: -.16}, world.Vec{X: -.03, Y: -.14})
			foot.Radius, foot.Friction = .015, .05
			foot.Filter = world.Filter{Category: 2, Mask: 1, Group: -int16(group)} // a foot collides with the ground alone
			a[i] = append(a[i], foot)
		}
	}
	return &a
}

func (b *builder) ragdoll(x, y float64, a *anatomy) (r ragdoll) {
	for i, d := range bones {
		r[i] = must(b.w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: y + d.y}, LinearDamping: d.damping, SleepSpeed: .1, Shapes: a[i]}))
		if d.parent < 0 {
			continue
		}
		must(b.w.CreateJoint(world.JointDef{
			Kind: world.RevoluteJoint, A: r[d.parent], B: r[i],
			AnchorA: world.Vec{Y: d.pivot - bones[d.parent].y}, AnchorB: world.Vec{Y: d.pivot - d.y},
			ReferenceAngle: d.reference * math.Pi,
			EnableLimit:    true, Lower: d.least * math.Pi, Upper: d.most * math.Pi,
			EnableMotor: true, MaxMotorForce: jointFriction * d.friction,
			Frequency: jointHertz, Damping: jointDamping,
		}))
	}
	return r
}

// rain drops 25 ragdolls every eight steps, five on each of five floors, and removes ragdolls
// that are 320 steps old.
func rain(b *builder) {
	const floors, columns, group, cells, rise = 5, 40, 5, 500, 45
	blocks := make([]world.ShapeDef, 0, floors*(cells+1))
	for i := range floors {
		for k := range cells + 1 {
			blocks = append(blocks, block(.5*float64(k-cells/2), float64(rise*i), .25, .25))
		}
	}
	b.fixed(blocks...)
	var anatomies [group]*anatomy
	for i := range anatomies {
		anatomies[i] = newAnatomy(i + 1)
	}
	var all [columns][floors][group]ragdoll
	b.beforeEach(func(step int) {
		if step%8 != 0 {
			return
		}
		n := step / 8
		place := &all[n%columns]
		for i := range place {
			for k := range place[i] {
				if n >= columns {
					for _, limb := range place[i][k] {
						must(0, b.w.DestroyBody(limb))
					}
				}
				x := float64(6.25*(float64(n%columns)+.5)) - 125 + float64(.5*float64(k))
				place[i][k] = b.ragdoll(x, float64(40+rise*i), anatomies[k])
			}
		}
	})
}
