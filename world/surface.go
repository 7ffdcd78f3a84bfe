package world

import (
	"fmt"
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// Material is the program's number for a kind of surface, such as ice, grass or metal. Contacts and their
// events have the materials of both shapes. A [Mix] has the rules for two materials. The default is 0.
type Material uint16

// AnyMaterial stands for every material in a [Mix].
const AnyMaterial Material = math.MaxUint16

// Surfaces are the rules by which all surfaces of a world act on each other. The zero Surfaces are the
// rules of Box2D.
type Surfaces struct {
	// Mixes are the rules for the friction and restitution of two materials. The order of the two
	// materials does not matter. If several mixes match, the first decides. If no mix matches, the friction
	// is the square root of the product of both frictions, and the restitution is the greater of both.
	// There are at most 1,000 mixes.
	Mixes []Mix

	// RestitutionThreshold is the closing speed of two shapes above which restitution acts, in m/s. 0
	// means 1.
	RestitutionThreshold float64

	// HitSpeed is the least closing speed of two shapes that causes a ContactHit, in m/s. 0 means every
	// speed.
	HitSpeed float64
}

// maxMixes is the greatest number of mixes in the Surfaces of a world.
const maxMixes = 1000

// Mix has the rules for the friction and restitution of two materials. The field Friction or Restitution is
// used only if its rule is MixGiven.
type Mix struct {
	A, B                          Material
	FrictionRule, RestitutionRule MixRule
	Friction, Restitution         float64 // at least 0
}

// MixRule is a way to compute one number from the numbers of two surfaces.
type MixRule uint8

// The rules. Box2D uses MixGeometric for friction and MixMaximum for restitution.
const (
	MixGiven     MixRule = iota // the number in the Mix
	MixGeometric                // the square root of the product
	MixAverage
	MixMinimum
	MixMaximum
	MixProduct
)

// of applies the rule to the numbers a and b of two surfaces. The parameter given is the number in the Mix. (The
// conversions to float64 in this file keep compilers from fusing a product with a sum.)
func (r MixRule) of(given, a, b float64) float64 {
	switch r {
	case MixGeometric:
		return box2d.B2MixFriction(a, b)
	case MixAverage:
		return (a + b) / 2
	case MixMinimum:
		return min(a, b)
	case MixMaximum:
		return box2d.B2MixRestitution(a, b)
	case MixProduct:
		return float64(a * b)
	}
	return given
}

// isAbout reports whether a mix is for two materials. Their order does not matter.
func (m *Mix) isAbout(a, b Material) bool {
	is := func(in, has Material) bool { return in == has || in == AnyMaterial }
	return is(m.A, a) && is(m.B, b) || is(m.A, b) && is(m.B, a)
}

func (s *Surfaces) check() error {
	if err := firstError(
		checkCount("mixes", len(s.Mixes), maxMixes),
		checkPositive("restitution threshold", s.RestitutionThreshold),
		checkPositive("hit speed", s.HitSpeed),
	); err != nil {
		return err
	}
	for i := range s.Mixes {
		m := &s.Mixes[i]
		if m.FrictionRule > MixProduct || m.RestitutionRule > MixProduct {
			return fmt.Errorf("world: mix %d has a rule that does not exist", i)
		}
		if err := firstError(checkPositive("friction of a mix", m.Friction), checkPositive("restitution of a mix", m.Restitution)); err != nil {
			return err
		}
	}
	return nil
}

// surfaces applies the rules in Config.Surfaces to shapes.
type surfaces struct {
	box *box.World
	cfg *Config

	hasOneWay bool // some shape is or was one-way
	someRoll  bool // some shape resists or resisted rolling
	someRest  bool // some body has or had its own speeds of rest
}

// Surfaces returns the rules by which surfaces act on each other.
func (w *World) Surfaces() Surfaces {
	w.checkGoroutine()
	s := w.cfg.Surfaces
	s.Mixes = slices.Clone(s.Mixes)
	return s
}

// SetSurfaces sets the rules by which surfaces act on each other. Present contacts change, too. If a contact
// changes, its bodies wake.
func (w *World) SetSurfaces(s Surfaces) error {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return ErrStepping
	}
	if err := s.check(); err != nil {
		return err
	}
	s.Mixes = slices.Clone(s.Mixes)
	w.cfg.Surfaces = s
	w.surfaces.applyRules()
	for c := range w.box.EachContact() {
		if surface := w.surfaces.mixed(c); surface != c.Surface() {
			w.box.Resurface(c, surface)
		}
	}
	return nil
}

// applyRules gives the steppers the rules that Box2D's own world lacks. It is called after a change of these rules, and
// after a restore.
func (u *surfaces) applyRules() {
	u.box.Rules.BounceSpeed = box2d.B2_velocityThreshold
	if s := u.cfg.Surfaces.RestitutionThreshold; s > 0 {
		u.box.Rules.BounceSpeed = s
	}
	u.box.Rules.Rolling, u.box.Rules.RestSpeeds = nil, nil // with nil the steppers do not ask
	if u.someRoll {
		u.box.Rules.Rolling = rollingOf
	}
	if u.someRest {
		u.box.Rules.RestSpeeds = restSpeedsOf
	}
}

// mixed returns the surface values of a contact, mixed from the values of its shapes.
func (u *surfaces) mixed(c box.Contact) box.Surface {
	a, b := c.Shapes()
	is := box.Surface{
		Friction:     box2d.B2MixFriction(a.M_friction, b.M_friction),
		Restitution:  box2d.B2MixRestitution(a.M_restitution, b.M_restitution),
		TangentSpeed: surfaceSpeed(c),
	}
	if len(u.cfg.Surfaces.Mixes) == 0 {
		return is
	}
	childA, childB := c.Children()
	of, with := materialOf(a, childA), materialOf(b, childB)
	for i := range u.cfg.Surfaces.Mixes {
		if m := &u.cfg.Surfaces.Mixes[i]; m.isAbout(of, with) {
			is.Friction = m.FrictionRule.of(m.Friction, a.M_friction, b.M_friction)
			is.Restitution = m.RestitutionRule.of(m.Restitution, a.M_restitution, b.M_restitution)
			break
		}
	}
	return is
}

// materialOf returns the material of a shape, or of the segment child of a chain.
func materialOf(f *box2d.B2Fixture, child int) Material {
	s := shapeOf(f)
	switch {
	case s == nil:
		return 0
	case child < len(s.segments):
		return s.segments[child]
	}
	return s.material
}

// rollingOf returns the torque with which the shapes of a contact resist rolling, in N·m for each N of normal force. During
// a step, any goroutine may call it.
func rollingOf(c box.Contact) float64 {
	a, b := c.Shapes()
	resistance, radius := 0.0, 0.0
	for _, f := range [...]*box2d.B2Fixture{a, b} {
		if s := shapeOf(f); s != nil {
			resistance = max(resistance, s.rolling)
		}
		if t := f.M_shape.GetType(); t == b2.CircleShape || t == b2.RoundShape {
			radius = max(radius, f.M_shape.GetRadius())
		}
	}
	return float64(resistance * radius)
}

// surfaceChanged updates the contacts of a shape after a change of its surface. It wakes the bodies that touch the shape.
func (u *surfaces) surfaceChanged(s *shape) {
	u.box.ResurfaceShape(s.fix)
	for c := range u.box.ContactsOfShape(s.fix) {
		u.box.Resurface(c, u.mixed(c))
	}
}

// SetMaterial sets the material of a shape, and of all segments of a chain. It also changes the shape's
// contacts, and wakes their bodies.
func (w *World) SetMaterial(s Shape, m Material) error {
	sh, err := w.editShape(s)
	if err != nil || sh.material == m && sh.segments == nil {
		return err
	}
	sh.material, sh.segments = m, nil
	w.surfaces.surfaceChanged(sh)
	w.news.announceShapeAnew(sh)
	return nil
}

// SetSegmentMaterial sets the material of one segment of a chain. The first segment has the number 0. It also
// changes the chain's contacts, and wakes their bodies. See ShapeDef.SegmentMaterials.
func (w *World) SetSegmentMaterial(s Shape, segment int, m Material) error {
	sh, err := w.editShape(s)
	if err != nil {
		return err
	}
	n := sh.fix.M_shape.GetChildCount()
	if sh.fix.M_shape.GetType() != b2.ChainShape || segment < 0 || segment >= n {
		return fmt.Errorf("world: a %v of %d segments has no segment %d", sh.kind, n, segment)
	}
	if materialOf(sh.fix, segment) == m {
		return nil
	}
	all := make([]Material, n) // a new slice, because snapshots share the old one
	for i := range all {
		all[i] = materialOf(sh.fix, i)
	}
	all[segment] = m
	sh.segments = all
	w.surfaces.surfaceChanged(sh)
	w.news.announceShapeAnew(sh)
	return nil
}

// SetRollingResistance sets a shape's rolling resistance, as a fraction of the normal force. It must be at
// least 0. The bodies that touch the shape wake. See ShapeDef.RollingResistance.
func (w *World) SetRollingResistance(s Shape, resistance float64) error {
	sh, err := w.editShape(s, checkPositive("rolling resistance", resistance))
	if err != nil || sh.rolling == resistance {
		return err
	}
	w.surfaces.roll(sh, resistance)
	w.surfaces.surfaceChanged(sh)
	return nil
}

// roll sets a shape's rolling resistance. The steppers ask for it only if some shape has one.
func (u *surfaces) roll(s *shape, resistance float64) {
	if s.rolling = resistance; resistance > 0 && !u.someRoll {
		u.someRoll = true
		u.applyRules()
	}
}
