package rube

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"

	"halfstep/world"
)

// isDump reports whether a file was written by b2World::Dump.
func isDump(data []byte) bool {
	return !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && bytes.Contains(data, []byte("b2Vec2 g("))
}

var (
	dumpCount   = regexp.MustCompile(`^\d+ <nil>`)                      // ByteArena's port also prints the results of fmt.Printf
	dumpFloat   = regexp.MustCompile(`%!l\(float64=([^()]*)\)ef`)       // the port has C's verbs in its formats
	dumpBool    = regexp.MustCompile(`%!d\(bool=(true|false)\)`)        // the port passes a bool to verbs for numbers
	dumpNumber  = regexp.MustCompile(`-?\b\d+(\.\d*)?(e[-+]?\d+)?f?\b`) // replaced by # in the tables below
	dumpCast    = regexp.MustCompile(`= (?:bool|uint16|int16|b2BodyType)\(#\);|= (?:bodies|joints)\[#\];`)
	dumpSpelled = strings.NewReplacer("->", ".", "body.M_world.", "m_world.")
)

// dump reads a file of b2World::Dump, which has a statement in each line. read replaces the
// numbers of a statement by #, and a table says what the rest of the statement does with the
// numbers.
type dump struct {
	s          *Scene
	statements map[string]any
	fields     map[string]map[string]any // by variable that was declared, its fields
	line       int
	depth      int  // depth is the depth of nested braces.
	made       bool // in the outermost braces
	ended      bool
	ported     bool // ByteArena's port has written the file
	totals     totals
	places     map[int]int // by number of a joint, its index in s.Joints

	body      world.BodyDef
	shape     world.ShapeDef
	points    []world.Vec // the array vs
	from, to  world.Vec   // the ends of an edge; from is also the centre of a circle
	threshold float64     // the threshold of the first fixture; -1 if there is none yet
	mixed     bool        // another fixture has another threshold

	before, after         world.Vec // the ghost vertices of an edge or a chain
	hasBefore, hasAfter   bool
	category, mask, group float64

	joint                Joint
	minLength, maxLength float64
	stiffness, damping   float64
}

// the types of places for numbers in tables, besides *float64 and the like
type (
	notBelow0 struct{ *float64 }
	negated   struct{ *bool }
)

func parseDump(data []byte) (*Scene, error) {
	s := &Scene{}
	d := &dump{s: s, fields: map[string]map[string]any{}, places: map[int]int{}, threshold: -1}
	d.statements = d.table()
	for text := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		d.line++
		if err := d.read(string(bytes.TrimSpace(text[:min(len(text), maxDumpLine)])), len(text) <= maxDumpLine); err != nil {
			return nil, fmt.Errorf("line %d: %w", d.line, err)
		}
	}
	if !d.ended {
		return nil, fmt.Errorf("line %d: the dump stops before bodies = NULL", d.line)
	}
	if s.World.NoGravity = s.World.Gravity == (world.Vec{}); d.threshold >= 0 {
		s.World.Surfaces.RestitutionThreshold = max(d.threshold, tiny)
	}
	return s, s.World.Validate()
}

// maxDumpLine is longer than any line of a dump, in bytes.
const maxDumpLine = 300

// read reads a line, or returns an error for the beginning of a line that is too long.
func (d *dump) read(text string, whole bool) error {
	form, bits := strings.TrimSpace(dumpCount.ReplaceAllString(text, "")), 32
	if form == "" && whole {
		return nil
	}
	if strings.Contains(form, "%!") {
		d.ported = true
		form, bits = dumpFloat.ReplaceAllString(form, "$1"), 64
		form = dumpBool.ReplaceAllStringFunc(form, func(s string) string {
			if strings.Contains(s, "true") {
				return "1"
			}
			return "0"
		})
	}
	var numbers []float64
	form = dumpNumber.ReplaceAllStringFunc(form, func(s string) string {
		x, err := strconv.ParseFloat(strings.TrimSuffix(s, "f"), bits)
		if err != nil {
			return s
		}
		numbers = append(numbers, min(max(x, -math.MaxFloat32), math.MaxFloat32))
		return "#"
	})
	form = dumpCast.ReplaceAllString(dumpSpelled.Replace(form), "= #;")
	name := form[:strings.IndexFunc(form+" ", func(r rune) bool { return strings.ContainsRune(".[ ", r) })]
	to, known := d.statements[form]
	if !known {
		to, known = d.fields[name][form]
	}
	if !known || !whole || d.ended {
		return fmt.Errorf("%s is not what b2World::Dump writes here", quote(text))
	}
	return set(to, numbers)
}

// set carries out a statement with its numbers. The parameter to is the entry of the table.
func set(to any, n []float64) error {
	whole := func() (int, error) {
		if n[0] < 0 || n[0] > math.MaxInt32 || n[0] != math.Trunc(n[0]) {
			return 0, fmt.Errorf("%v: not a whole number from 0 to %d", n[0], math.MaxInt32)
		}
		return int(n[0]), nil
	}
	switch to := to.(type) {
	case *float64:
		*to = n[0]
	case notBelow0:
		if *to.float64 = n[0]; n[0] < 0 {
			return fmt.Errorf("%v: below 0", n[0])
		}
	case *bool:
		*to = n[0] != 0
	case negated:
		*to.bool = n[0] == 0
	case *world.Vec:
		*to = world.Vec{X: n[0], Y: n[1]}
	case *int:
		i, err := whole()
		*to = i
		return err
	case func() error:
		return to()
	case func(n float64) error:
		return to(n[0])
	case func(i int) error:
		i, err := whole()
		if err == nil {
			err = to(i)
		}
		return err
	case func(i int, at world.Vec) error:
		i, err := whole()
		if err == nil {
			err = to(i, world.Vec{X: n[1], Y: n[2]})
		}
		return err
	}
	return nil
}

// table has all statements except those that set a field of a variable.
func (d *dump) table() map[string]any {
	all := map[string]any{
		"{":                      d.openBrace,
		"}":                      d.closeBrace,
		"b2Vec2 g(#, #);":        &d.s.World.Gravity,
		"m_world.SetGravity(g);": nil,
		"b2Body** bodies = (b2Body**)b2Alloc(# * sizeof(b2Body*));":    nil,
		"b2Joint** joints = (b2Joint**)b2Alloc(# * sizeof(b2Joint*));": nil,
		"bodies[#] = m_world.CreateBody(&bd);":                         d.createBody,
		"bodies[#].CreateFixture(&fd);":                                d.createFixture,
		"joints[#] = m_world.CreateJoint(&jd);":                        d.createJoint,
		"Mouse joint dumping is not supported.":                        nil, // version 2.4 prints this to another place
		"b2Vec2 vs[#];":                                                func() error { d.points = nil; return nil },
		"vs[#].Set(#, #);":                                             d.point,
		"b2Free(joints);":                                              nil,
		"b2Free(bodies);":                                              nil,
		"joints = NULL;":                                               nil,
		"joints = nullptr;":                                            nil,
		"bodies = NULL;":                                               d.end,
		"bodies = nullptr;":                                            d.end,
	}
	declare := func(statement, name string, reset func(), fields map[string]any) {
		forms := map[string]any{}
		for field, to := range fields {
			form := name + "." + field
			if _, vector := to.(*world.Vec); vector {
				form += ".Set(#, #);"
			} else if !strings.HasSuffix(form, ";") {
				form += " = #;"
			}
			forms[form] = to
		}
		all[statement] = func() error {
			reset()
			d.fields[name] = forms
			return nil
		}
	}

	b := &d.body
	kind := func(i int) error {
		if b.Kind = world.BodyKind(i); i > int(world.Dynamic) {
			return fmt.Errorf("%d: not a whole number from 0 to 2", i)
		}
		return nil
	}
	declare("b2BodyDef bd;", "bd", func() { *b = world.BodyDef{GravityScale: 1} }, map[string]any{
		"type = #;": kind, "position": &b.Position, "angle": &b.Angle,
		"linearVelocity": &b.Velocity, "angularVelocity": &b.AngularVelocity,
		"linearDamping": notBelow0{&b.LinearDamping}, "angularDamping": notBelow0{&b.AngularDamping},
		"allowSleep": negated{&b.NoSleep}, "awake": negated{&b.Asleep}, "fixedRotation": &b.FixedRotation, "bullet": &b.Bullet,
		"active": negated{&b.Disabled}, "enabled": negated{&b.Disabled}, "gravityScale": &b.GravityScale,
	})

	f := &d.shape
	declare("b2FixtureDef fd;", "fd", func() { *f, d.category, d.mask, d.group = world.ShapeDef{}, 1, math.MaxUint16, 0 }, map[string]any{
		"friction": &f.Friction, "restitution": &f.Restitution, "density": &f.Density, "isSensor": &f.Sensor,
		"filter.categoryBits": &d.category, "filter.maskBits": &d.mask, "filter.groupIndex": &d.group,
		"restitutionThreshold = #;": d.bounce, "shape = &shape;": nil,
	})
	shape := func(class string, kind world.ShapeKind, ghosts bool, fields map[string]any) {
		declare(class+" shape;", "shape", func() { f.Kind, f.Points, f.Radius, d.hasBefore, d.hasAfter = kind, nil, 0, ghosts, ghosts }, fields)
	}
	corners := func(n int) error {
		if f.Points = d.points; n != len(d.points) {
			return fmt.Errorf("%s, but %d are said", count(len(d.points), "point"), n)
		}
		return nil
	}
	shape("b2CircleShape", world.CircleShape, false, map[string]any{"m_radius": &f.Radius, "m_p": &d.from})
	shape("b2PolygonShape", world.PolygonShape, false, map[string]any{"Set(vs, #);": corners})
	shape("b2EdgeShape", world.EdgeShape, false, map[string]any{
		"m_radius":  new(float64), // the same for all edges
		"m_vertex0": &d.before, "m_vertex1": &d.from, "m_vertex2": &d.to, "m_vertex3": &d.after,
		"m_hasVertex0": &d.hasBefore, "m_hasVertex3": &d.hasAfter,
		"m_oneSided = #;": func(is int) error { d.hasBefore, d.hasAfter = is != 0, is != 0; return nil },
	})
	shape("b2ChainShape", world.ChainShape, true, map[string]any{ // version 2.4 has no flags here, because its chains have both ghost vertices
		"CreateChain(vs, #);": corners, "m_prevVertex": &d.before, "m_nextVertex": &d.after,
		"m_hasPrevVertex": &d.hasBefore, "m_hasNextVertex": &d.hasAfter,
	})

	j := &d.joint.Def
	anchors := map[string]any{"localAnchorA": &j.AnchorA, "localAnchorB": &j.AnchorB}
	axis := map[string]any{"localAxisA": &j.AxisA}
	rest := map[string]any{"referenceAngle": &j.ReferenceAngle}
	force := map[string]any{"maxForce": notBelow0{&j.MaxForce}, "maxTorque": notBelow0{&j.MaxTorque}}
	ratio := map[string]any{"ratio": &j.Ratio}
	spring := map[string]any{
		"frequencyHz": notBelow0{&j.Frequency}, "dampingRatio": notBelow0{&j.Damping},
		"stiffness": notBelow0{&d.stiffness}, "damping": notBelow0{&d.damping},
	}
	limits := func(of string) map[string]any {
		return map[string]any{"enableLimit": &j.EnableLimit, "lower" + of: &j.Lower, "upper" + of: &j.Upper}
	}
	motor := func(most string) map[string]any {
		return map[string]any{"enableMotor": &j.EnableMotor, "motorSpeed": &j.MotorSpeed, most: notBelow0{&j.MaxMotorForce}}
	}
	for kind, parts := range map[world.JointKind][]map[string]any{
		world.RevoluteJoint:  {anchors, rest, limits("Angle"), motor("maxMotorTorque")},
		world.PrismaticJoint: {anchors, axis, rest, limits("Translation"), motor("maxMotorForce")},
		world.DistanceJoint:  {anchors, spring, {"length": &j.Length, "minLength": &d.minLength, "maxLength": &d.maxLength}},
		world.PulleyJoint: {anchors, ratio, {
			"groundAnchorA": &j.GroundA, "groundAnchorB": &j.GroundB,
			"lengthA": notBelow0{&j.LengthA}, "lengthB": notBelow0{&j.LengthB},
		}},
		world.GearJoint:     {ratio, {"joint1": &d.joint.Joint1, "joint2": &d.joint.Joint2}},
		world.WheelJoint:    {anchors, axis, spring, motor("maxMotorTorque")},
		world.WeldJoint:     {anchors, rest, spring},
		world.FrictionJoint: {anchors, force},
		world.RopeJoint:     {anchors, {"maxLength": notBelow0{&j.MaxLength}}},
		world.MotorJoint: {force, {
			"linearOffset": &j.LinearOffset, "angularOffset": &j.AngularOffset, "correctionFactor": notBelow0{&j.Correction},
		}},
	} {
		fields := map[string]any{"bodyA": &d.joint.BodyA, "bodyB": &d.joint.BodyB, "collideConnected": &j.CollideConnected}
		for _, part := range parts {
			maps.Copy(fields, part)
		}
		name := kind.String()
		declare("b2"+strings.ToUpper(name[:1])+name[1:]+"JointDef jd;", "jd", func() {
			d.joint = Joint{Def: world.JointDef{Kind: kind}}
			d.minLength, d.maxLength, d.stiffness, d.damping = -1, -1, 0, 0
		}, fields)
	}
	return all
}

func (d *dump) openBrace() error {
	if d.depth++; d.depth == 1 {
		d.made = false
	}
	return nil
}

func (d *dump) closeBrace() error {
	if d.depth--; d.depth < 0 {
		return errors.New("a brace too many")
	}
	if d.depth == 0 && !d.made {
		d.leaveOut("a mouse joint, which Dump does not write")
	}
	return nil
}

func (d *dump) leaveOut(format string, args ...any) {
	d.s.LeftOut = append(d.s.LeftOut, fmt.Sprintf("line %d: ", d.line)+fmt.Sprintf(format, args...))
}

func (d *dump) end() error {
	if d.ended = true; d.depth > 0 {
		return errors.New("a brace too few")
	}
	return nil
}

// defined ends the definition of variables. It returns an error if the definition of one of
// them has not begun.
func (d *dump) defined(variables ...string) error {
	for _, name := range variables {
		if d.fields[name] == nil {
			return fmt.Errorf("there is no %s", name)
		}
		delete(d.fields, name)
	}
	return nil
}

func (d *dump) createBody(number int) error {
	b, n := d.body, len(d.s.Bodies)
	switch err := d.defined("bd"); {
	case err != nil:
		return err
	case number != n:
		return fmt.Errorf("body %d where body %d should be", number, n)
	case n == maxBodies:
		return fmt.Errorf("more than %d bodies", maxBodies)
	}
	b.NoGravity = b.GravityScale == 0
	switch b.Kind {
	case world.Static: // Box2D itself would keep the velocity, and would move the body by it
		b.Velocity, b.AngularVelocity = world.Vec{}, 0
	case world.Dynamic: // Dump writes the velocity of the centre, but a definition has that of the origin
		b.CentreVelocity = b.AngularVelocity != 0
	}
	d.s.Bodies, d.made = append(d.s.Bodies, b), true
	return nil
}

// point adds a point to the array vs.
func (d *dump) point(i int, at world.Vec) error {
	if i != len(d.points) {
		return fmt.Errorf("vs[%d] where vs[%d] should be", i, len(d.points))
	}
	d.points = append(d.points, at)
	return nil
}

// bounce sets the speed at which a fixture bounces. Here the speed is the same for the whole
// world.
func (d *dump) bounce(n float64) error {
	switch {
	case d.threshold < 0:
		d.threshold = n
	case d.threshold != n && !d.mixed:
		d.mixed = true
		d.leaveOut("restitutionThreshold %v, because the world has one for all fixtures, here %v", n, d.threshold)
	}
	return nil
}

func (d *dump) createFixture(body int) error {
	if err := d.defined("fd", "shape"); err != nil {
		return err
	}
	if body >= len(d.s.Bodies) {
		return fmt.Errorf("body %d out of range (%s)", body, count(len(d.s.Bodies), "body"))
	}
	f := d.shape
	switch f.Kind {
	case world.CircleShape:
		f.Points = []world.Vec{d.from}
	case world.EdgeShape:
		f.Points = []world.Vec{d.from, d.to}
	}
	if before := d.before; d.hasBefore {
		f.Before = &before
	}
	if after := d.after; d.hasAfter {
		f.After = &after
	}
	closeChain(&f)
	d.points = nil
	if d.category < 0 || d.category > math.MaxUint16 || d.mask < 0 || d.mask > math.MaxUint16 || math.Abs(d.group) > math.MaxInt16+1 {
		return errors.New("the filter has more than 16 bits")
	}
	if d.ported && d.category == 0 && d.mask == 0 && d.group == 0 {
		d.category, d.mask = 1, math.MaxUint16 // the port's fixtures begin with these values, and its worlds have no filter, so all fixtures collide
	}
	f.Filter = filterOf(uint64(d.category), uint64(d.mask), int16(d.group))
	if err := f.Validate(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "world: "))
	}
	b := &d.s.Bodies[body]
	if len(b.Shapes) == world.MaxBodyShapes {
		return fmt.Errorf("more than %d fixtures of a body", world.MaxBodyShapes)
	}
	b.Shapes = append(b.Shapes, f)
	return d.totals.add(&world.BodyDef{Shapes: b.Shapes[len(b.Shapes)-1:]}, 0)
}

func (d *dump) createJoint(number int) error {
	if err := d.defined("jd"); err != nil {
		return err
	}
	j, n := d.joint, len(d.s.Joints)
	if _, twice := d.places[number]; twice || n == maxJoints {
		return fmt.Errorf("a second joint %d, or more than %d", number, maxJoints)
	}
	d.places[number] = n
	for _, b := range []int{j.BodyA, j.BodyB} {
		if b >= len(d.s.Bodies) {
			return fmt.Errorf("body %d out of range (%s)", b, count(len(d.s.Bodies), "body"))
		}
	}
	def := &j.Def
	switch def.Kind {
	case world.GearJoint:
		for _, one := range []*int{&j.Joint1, &j.Joint2} {
			place, ok := d.places[*one]
			if !ok || place == n {
				return fmt.Errorf("there is no joint %d yet", *one)
			}
			*one = place
		}
	case world.DistanceJoint:
		switch {
		case d.minLength < d.maxLength:
			def.EnableLimit, def.Lower, def.Upper = true, d.minLength, d.maxLength
		case d.maxLength >= 0: // the joint is rigid, whatever its spring is
			def.Length, d.stiffness = d.minLength, 0
		}
		def.Length = max(def.Length, tiny)
	case world.MotorJoint:
		def.Correction = max(def.Correction, tiny)
	}
	def.Lower, def.Upper, def.MaxLength = max(def.Lower, -farthest), min(def.Upper, farthest), min(def.MaxLength, farthest)
	if d.stiffness > 0 {
		d.soften(&j)
	}
	d.s.Joints, d.made = append(d.s.Joints, j), true
	if def.Kind == world.GearJoint {
		return d.s.checkGear(&j)
	}
	if j.BodyA == j.BodyB {
		return fmt.Errorf("bodyA and bodyB are both %d", j.BodyA)
	}
	return nil
}

// farthest is a length that no body reaches but that a world accepts. In Box2D, FLT_MAX means
// no limit.
const farthest = 1e9

// soften converts the stiffness and damping of a joint of version 2.4 to the frequency and
// damping ratio that pull the two bodies equally hard at their places.
func (d *dump) soften(j *Joint) {
	var frames [2]world.BodyInfo
	var mass, turn [2]float64 // the inverses of the mass and of the inertia
	var centre [2]world.Vec
	for i, n := range []int{j.BodyA, j.BodyB} {
		b := &d.s.Bodies[n]
		frames[i] = world.BodyInfo{Position: b.Position, Angle: b.Angle}
		mass[i], turn[i], centre[i] = inverseMass(b)
		centre[i] = frames[i].WorldPoint(centre[i])
	}
	from, to := frames[0].WorldPoint(j.Def.AnchorA), frames[1].WorldPoint(j.Def.AnchorB)
	along := world.Vec{X: to.X - from.X, Y: to.Y - from.Y}
	at := [2]world.Vec{from, to}
	if j.Def.Kind == world.WheelJoint { // the axis is fixed to A, and the force acts at the anchor of B
		tip, origin := frames[0].WorldPoint(j.Def.AxisA), frames[0].Position
		along, at[0] = world.Vec{X: tip.X - origin.X, Y: tip.Y - origin.Y}, to
	}
	inverse := turn[0] + turn[1]
	if j.Def.Kind != world.WeldJoint {
		inverse = 0
		length := math.Hypot(along.X, along.Y)
		for i := range at {
			arm := 0.0
			if length > 0 {
				arm = ((at[i].X-centre[i].X)*along.Y - (at[i].Y-centre[i].Y)*along.X) / length
			}
			inverse += mass[i] + turn[i]*arm*arm
		}
	}
	omega := math.Sqrt(d.stiffness * inverse)
	if j.Def.Frequency = max(omega/(2*math.Pi), tiny); omega > 0 {
		j.Def.Damping = d.damping * inverse / (2 * omega)
	}
}

// inverseMass returns the inverse of a body's mass, the inverse of its inertia about its
// centre of mass, and that centre. It computes all three from the densities.
func inverseMass(b *world.BodyDef) (mass, turn float64, centre world.Vec) {
	if b.Kind != world.Dynamic {
		return 0, 0, centre
	}
	var m, inertia float64
	for i := range b.Shapes {
		s, _ := b.Shapes[i].Mass()
		m, inertia = m+s.Mass, inertia+s.Inertia
		centre.X, centre.Y = centre.X+s.Mass*s.Centre.X, centre.Y+s.Mass*s.Centre.Y
	}
	if m == 0 {
		return 1, 0, centre
	}
	centre.X, centre.Y = centre.X/m, centre.Y/m
	if inertia -= m * (centre.X*centre.X + centre.Y*centre.Y); inertia > 0 && !b.FixedRotation {
		turn = 1 / inertia
	}
	return 1 / m, turn, centre
}
