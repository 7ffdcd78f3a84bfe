package world

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// notSoftly has the names of the tests that do not run with the soft stepper.
var notSoftly = []string{
	// They take long.
	"Attack", "Fuzz", "TestAPileOf", "UpperLimits", "NumberOfContactsMade", "MemoryFlat",
	// They choose their steppers.
	"TestAStepTellsItsStages", "WhatAWalkFinds", "GoBackStayEqual", "HoweverMuchSleeps",
	"TestReferees", "KeepMomentum", "TestContactsAreThoseOf", "TestASnapshotAllocatesNothing", "TestAPendulumSwings", "NeverBouncesHigher",
	"SceneGoesOn", "TestAHeapOfAThousand",
	// These compare bits with the library, or compare more digits than a float32 has.
	"TestCommandsDoTheSame", "TestHooksHaveTheSameBits", "TestAContactOfBodiesThatSleep",
}

// outside returns the names of the tests in package world_test. The stepper of their
// worlds is the one that the test chooses.
func outside(t *testing.T) (tests []string) {
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "package world_test\n") {
			for _, test := range regexp.MustCompile(`(?m)^func ((Test|Example)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
				tests = append(tests, "^"+test[1]+"$")
			}
		}
	}
	return tests
}

// The other tests of this package run again, in a process of their own. There every world
// has the soft stepper, unless its test chooses one.
func TestTheOtherTestsHoldWithTheSoftStepper(t *testing.T) {
	norace.Only(t)
	if softly {
		t.Skip("this is that process")
	}
	run := exec.Command(os.Args[0], "-test.short", "-test.skip="+strings.Join(slices.Concat(notSoftly, outside(t)), "|"))
	run.Env = append(os.Environ(), withStepper+"=soft")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The library would find pairs with boxes whose last bits differ between machines, and
// then forget which shapes have moved.
func TestASoftWorldFindsContactsInStepsOnly(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	b := r.box(0, 0)
	r.start()
	r.run(1)
	r.box(.5, 0)
	check(t, r.SetKind(b, Kinematic))
	if n := r.Counts().Contacts; n != 0 {
		t.Errorf("%d contacts before the step", n)
	}
	r.run(1)
	if n := r.Counts().Contacts; n != 1 {
		t.Errorf("%d contacts after the step", n)
	}
}

func TestRawAccessToASoftWorldFindsNoContactsAndMayDestroyWhatTouches(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, Gravity: Vec{Y: -10}})
	ground := r.ground()
	low, high := r.box(0, .5), r.box(0, 1.5)
	r.start()
	r.run(30)
	raw := r.Box2D()
	if raw.GetContactList() != nil || raw.GetContactCount() != 0 || r.BodyPointer(low).GetContactList() != nil {
		t.Error("the library has contacts")
	}
	if r.Counts().Contacts != 2 {
		t.Fatalf("%d contacts", r.Counts().Contacts)
	}
	body := r.BodyPointer(low)
	body.DestroyFixture(body.GetFixtureList())
	for c := range r.Contacts() {
		t.Errorf("%v goes on", c)
	}
	for _, b := range []Body{ground, low, high} {
		check(t, r.BodyContacts(b, func(c Contact) bool {
			t.Errorf("%v goes on with a body", c)
			return true
		}))
	}
	r.run(60)
	if r.Counts().Contacts != 1 || r.at(high).Y > .6 {
		t.Errorf("%d contacts after the shape between was destroyed, and the upper box is at %v", r.Counts().Contacts, r.at(high))
	}
}

func TestLinesPassEachOther(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper})
		r.body(BodyDef{Shapes: []ShapeDef{Chain(Vec{X: -9, Y: -1}, Vec{X: 0, Y: 1}, Vec{X: 9, Y: 0})}})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: 3}, Shapes: []ShapeDef{Edge(Vec{X: -1, Y: 0}, Vec{X: 1, Y: .5})}})
		r.start()
		r.run(60)
		if y, v := r.at(b).Y, r.speed(b).Y; !(y < -1 && v < -9.9) {
			t.Errorf("%v: after 1 s at %v, %v m/s", stepper, y, v)
		}
	}
}
