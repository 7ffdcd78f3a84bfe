package rube

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"halfstep/world"
)

// Scene is the scene of a file. It can be built any number of times.
type Scene struct {
	Name   string // the file's name, for messages
	Source []byte // the bytes of the file, for a recording

	World          world.Config // for a world with the scene; numbers of iterations that the file lacks are left to the world
	StepsPerSecond float64      // 0 if the file does not have it

	Bodies     []world.BodyDef
	Joints     []Joint
	Properties Properties // the world's custom properties

	// LeftOut has a line, with the reason, for each part of the file, or of the world that Of
	// got, that the scene lacks: code, for example, or a fixture that Box2D cannot make.
	LeftOut []string
}

// Joint is a joint whose bodies and joints are given by their index in Scene. The fields A,
// B, Joint1 and Joint2 of Def are zero.
type Joint struct {
	Def            world.JointDef
	BodyA, BodyB   int // indices in Scene.Bodies; BodyA is -1 in a mouse joint without a first body; gear joints ignore both
	Joint1, Joint2 int // indices in Scene.Joints; only for gear joints
}

// Limits on the contents of a file. The largest scenes in use have a few megabytes and a
// few thousand bodies. While a file is read, it needs up to fifty times its size in memory.
// The world has limits of its own: see world.MaxBodyShapes, world.MaxChainPoints and
// world.Config.MaxContacts.
const (
	maxFile     = 32 << 20 // bytes
	maxBodies   = 200_000
	maxJoints   = 200_000
	maxFixtures = 500_000   // the greatest number for all bodies together
	maxPoints   = 2_000_000 // the greatest number for all fixtures together
)

// ReadFile reads the scene in the file at path. An error is one line that begins with path.
func ReadFile(path string) (*Scene, error) {
	data, err := readAll(path)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return Parse(path, data)
}

func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1)) // parse reports a file that is too large
}

// Parse reads a scene from the contents of a file, which is JSON or a dump. An error is one
// line that begins with name.
func Parse(name string, data []byte) (*Scene, error) {
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Name, s.Source = name, data
	return s, nil
}

func parse(data []byte) (*Scene, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("larger than %d MiB", maxFile>>20)
	}
	if isDump(data) {
		return parseDump(data)
	}
	o, err := document(data)
	if err != nil {
		return nil, err
	}
	if o.has("metaworld") {
		return nil, errors.New("a project of the R.U.B.E. editor; export it there as JSON and open that file")
	}
	if !o.has("body") && !o.has("gravity") && !o.has("joint") {
		return nil, errors.New("not a R.U.B.E. scene: no body, joint or gravity in it")
	}
	s := &Scene{World: world.Config{NoSleep: true, NoWarmStarting: true, NoContinuous: true}}
	o.scene(s)
	o.require(s.StepsPerSecond >= 0 && s.StepsPerSecond <= maxStepsPerSecond,
		"stepsPerSecond %v: not from 0 to %v", s.StepsPerSecond, maxStepsPerSecond)
	bodies, joints := o.elements("body"), o.elements("joint")
	o.require(len(bodies) <= maxBodies, "%d bodies (at most %d)", len(bodies), maxBodies)
	o.require(len(joints) <= maxJoints, "%d joints (at most %d)", len(joints), maxJoints)
	if err := s.World.Validate(); err != nil {
		o.fail(err)
	}
	if o.err != nil {
		return nil, o.err
	}
	var t totals
	s.Bodies = make([]world.BodyDef, len(bodies))
	for i, raw := range bodies {
		in, d := newObject(raw), &s.Bodies[i]
		d.GravityScale, d.Asleep = 1, true
		without := in.body(d)
		if in.err == nil {
			in.err = t.add(d, len(without))
		}
		if in.err != nil {
			return nil, fmt.Errorf("%s: %w", describe("body", i, d.Name), in.err)
		}
		for _, line := range without {
			s.LeftOut = append(s.LeftOut, describe("body", i, d.Name)+": "+line)
		}
	}
	s.Joints = make([]Joint, len(joints))
	for i, raw := range joints {
		in := newObject(raw)
		if in.joint(s, len(joints), &s.Joints[i]); in.err != nil {
			return nil, fmt.Errorf("joint %d: %w", i, in.err)
		}
	}
	for i := range s.Joints {
		if err := s.checkGear(&s.Joints[i]); err != nil {
			return nil, fmt.Errorf("joint %d: %w", i, err)
		}
	}
	return s, nil
}

// scene reads or writes the fields of the world.
func (o *object) scene(s *Scene) {
	c := &s.World
	o.vec("gravity", &c.Gravity)
	c.NoGravity = c.Gravity == world.Vec{}
	o.float("stepsPerSecond", &s.StepsPerSecond)
	integer(o, "velocityIterations", &c.VelocityIterations, 0, world.MaxIterations)
	integer(o, "positionIterations", &c.PositionIterations, 0, world.MaxIterations)
	o.not("allowSleep", &c.NoSleep)
	o.not("warmStarting", &c.NoWarmStarting)
	o.not("continuousPhysics", &c.NoContinuous)
	o.boolean("subStepping", &c.SubStepping)
	stepper := ""
	if o.writes && c.Stepper != world.FastStep {
		stepper = c.Stepper.String()
	}
	if own(o, "stepper", &stepper, texts); stepper != "" {
		var err error
		c.Stepper, err = world.ParseStepper(stepper)
		o.require(err == nil, "stepper %s: %v", quote(stepper), err)
	}
	own(o, "subSteps", &c.SubSteps, ints)
	own(o, "maxContacts", &c.MaxContacts, ints)
	own(o, "restitutionThreshold", &c.Surfaces.RestitutionThreshold, numbers)
	own(o, "hitSpeed", &c.Surfaces.HitSpeed, numbers)
	own(o, "mixes", &c.Surfaces.Mixes, inText[[]world.Mix]())
	o.properties(&s.Properties)
	o.noOther()
}

// maxStepsPerSecond is a rate that is too high for every clock.
const maxStepsPerSecond = 1e6

// totals has the number of fixtures and of points of all bodies of a file.
type totals struct{ fixtures, points int }

// add adds the fixtures and points of a body. without is the number of its fixtures that
// were left out.
func (t *totals) add(d *world.BodyDef, without int) error {
	t.fixtures += len(d.Shapes) + without
	for i := range d.Shapes {
		t.points += len(d.Shapes[i].Points)
	}
	switch {
	case t.fixtures > maxFixtures:
		return fmt.Errorf("more than %d fixtures in the file", maxFixtures)
	case t.points > maxPoints:
		return fmt.Errorf("more than %d points in the file", maxPoints)
	}
	return nil
}

// describe names an object of a file for a message, for example: body 3 "wheel".
func describe(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d %s", kind, i, quote(name))
}
