package rube

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"halfstep/world"
)

// Scene is a scene as the file says it, ready to be built any number of times.
type Scene struct {
	Name   string // the file's name, for messages
	Source []byte // the bytes that were parsed, to be kept with a recording

	Gravity            world.Vec // m/s²
	StepsPerSecond     float64   // 0 where the file does not say
	VelocityIterations int       // per step; 0 where the file does not say
	PositionIterations int       // per step; 0 where the file does not say
	NoSleep            bool      // bodies never fall asleep
	NoWarmStarting     bool      // the solver starts every step from nothing
	NoContinuous       bool      // fast bodies may pass through static ones
	SubStepping        bool      // a step ends at the first time of impact

	Bodies     []world.BodyDef
	Joints     []Joint
	Properties Properties // the world's custom properties

	// LeftOut has a line for each fixture that Box2D could not make. It says which, and
	// why; the scene is without it.
	LeftOut []string
}

// Joint is a joint whose bodies and joints are given by their place in Scene,
// not by name: the fields A, B, Joint1 and Joint2 of Def are zero.
type Joint struct {
	Def            world.JointDef
	BodyA, BodyB   int       // in Scene.Bodies; of no use to a gear joint
	Joint1, Joint2 int       // in Scene.Joints; of a gear joint
	Grab           world.Vec // where a mouse joint holds body B, a point of the world, m
}

// Limits on what a file may hold. The largest scenes in use are a few
// megabytes with a few thousand bodies; a file takes up to fifty times its size
// in memory while it is read. The world has limits of its own: see
// world.MaxBodyShapes, world.MaxChainPoints and world.Config.MaxContacts.
const (
	MaxFile     = 32 << 20 // bytes
	MaxBodies   = 200_000
	MaxJoints   = 200_000
	MaxFixtures = 500_000   // the most that all bodies may have together
	MaxPoints   = 2_000_000 // the most that all fixtures may have together
)

// ReadFile reads the scene in the file at path. Errors are one line that
// begins with path.
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
	return io.ReadAll(io.LimitReader(f, MaxFile+1)) // parse says that it is too large
}

// Parse reads a scene from the contents of a file. Errors are one line that
// begins with name.
func Parse(name string, data []byte) (*Scene, error) {
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Name, s.Source = name, data
	return s, nil
}

func parse(data []byte) (*Scene, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("larger than %d MiB", MaxFile>>20)
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
	s := &Scene{
		Gravity:            o.vec("gravity"),
		StepsPerSecond:     o.float("stepsPerSecond", 0),
		VelocityIterations: int(o.integer("velocityIterations", 0, 0, world.MaxIterations)),
		PositionIterations: int(o.integer("positionIterations", 0, 0, world.MaxIterations)),
		NoSleep:            !o.boolean("allowSleep", false),
		NoWarmStarting:     !o.boolean("warmStarting", false),
		NoContinuous:       !o.boolean("continuousPhysics", false),
		SubStepping:        o.boolean("subStepping", false),
		Properties:         properties(o),
	}
	o.require(s.StepsPerSecond >= 0 && s.StepsPerSecond <= maxStepsPerSecond,
		"stepsPerSecond %v: not from 0 to %v", s.StepsPerSecond, maxStepsPerSecond)
	bodies, joints := o.list("body"), o.list("joint")
	o.require(len(bodies) <= MaxBodies, "%d bodies (at most %d)", len(bodies), MaxBodies)
	o.require(len(joints) <= MaxJoints, "%d joints (at most %d)", len(joints), MaxJoints)
	if err := s.Config().Validate(); err != nil {
		o.fail(err)
	}
	if o.err != nil {
		return nil, o.err
	}
	var t totals
	s.Bodies = make([]world.BodyDef, len(bodies))
	for i, raw := range bodies {
		var without []string
		if s.Bodies[i], without, err = body(raw); err == nil {
			err = t.add(&s.Bodies[i], len(without))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place("body", i, s.Bodies[i].Name), err)
		}
		for _, line := range without {
			s.LeftOut = append(s.LeftOut, place("body", i, s.Bodies[i].Name)+": "+line)
		}
	}
	s.Joints = make([]Joint, len(joints))
	for i, raw := range joints {
		if s.Joints[i], err = joint(raw, len(bodies), len(joints)); err != nil {
			return nil, fmt.Errorf("joint %d: %w", i, err)
		}
	}
	for i := range s.Joints {
		if err := s.checkGear(&s.Joints[i]); err != nil {
			return nil, fmt.Errorf("joint %d: %w", i, err)
		}
	}
	return s, nil
}

// maxStepsPerSecond is beyond what a clock can run at.
const maxStepsPerSecond = 1e6

// totals adds up what the bodies of a file hold.
type totals struct{ fixtures, points int }

// add adds a body, and fixtures of it that are left out.
func (t *totals) add(d *world.BodyDef, without int) error {
	t.fixtures += len(d.Shapes) + without
	for i := range d.Shapes {
		t.points += len(d.Shapes[i].Points)
	}
	switch {
	case t.fixtures > MaxFixtures:
		return fmt.Errorf("more than %d fixtures in the file", MaxFixtures)
	case t.points > MaxPoints:
		return fmt.Errorf("more than %d points in the file", MaxPoints)
	}
	return nil
}

func place(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d %s", kind, i, quote(name))
}
