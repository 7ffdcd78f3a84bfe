package play

import (
	"slices"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// The viewer pins a body to the world with a joint to a nail. A nail is a static body
// without shapes.

// nailName is the name of every nail.
const nailName = "nail"

// IsPin reports whether a joint holds a body to a nail. The nail is the joint's first
// body.
func IsPin(s *scene.Scene, j *scene.Joint) bool {
	return j.SlotA >= 0 && j.SlotB >= 0 && world.BodyKind(s.Bodies[j.SlotA].Type) == world.Static && s.Bodies[j.SlotA].Name == nailName
}

// NailsOf returns the nails to which a body is pinned.
func NailsOf(p *Player, b world.Body) (nails []world.Body) {
	s := p.View().Scene
	slot, there := s.Slot(uint64(b))
	for i := range s.Joints {
		if j := &s.Joints[i]; there && int(j.SlotB) == slot && IsPin(s, j) {
			nails = append(nails, world.Body(s.Bodies[j.SlotA].Handle))
		}
	}
	return nails
}

// nailOf returns the nail of a joint. The result ok is false if the joint has none.
func nailOf(p *Player, joint world.Joint) (nail world.Body, ok bool) {
	s := p.View().Scene
	for i := range s.Joints {
		if j := &s.Joints[i]; world.Joint(j.Handle) == joint && IsPin(s, j) {
			return world.Body(s.Bodies[j.SlotA].Handle), true
		}
	}
	return 0, false
}

// withNails returns some bodies, together with the nails to which they are pinned.
func withNails(of *Player, all []world.Body) []world.Body {
	for _, b := range slices.Clone(all) {
		for _, nail := range NailsOf(of, b) {
			if !slices.Contains(all, nail) {
				all = append(all, nail)
			}
		}
	}
	return all
}
