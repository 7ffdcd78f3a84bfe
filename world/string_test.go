package world

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnEventPrintsAsASentenceThatNamesTheBody(t *testing.T) {
	r := newRig(t, gravity())
	_, err := r.CreateBody(BodyDef{Name: "ground", Shapes: []ShapeDef{Box(20, 1)}})
	check(t, err)
	ball, err := r.CreateBody(BodyDef{Name: "ball", Kind: Dynamic, Position: Vec{Y: 3}, Shapes: []ShapeDef{Circle(.5)}})
	check(t, err)
	r.start()
	r.run(120)
	r.Apply(120, &Command{Op: opImpulse, Body: 4711}, false)
	r.Apply(120, &Command{Op: opDestroyBody, Body: ball}, false)
	r.Apply(120, &Command{Op: opDestroyJoint, Joint: 9}, false)
	r.Apply(120, &Command{Op: opDo, Name: "nobody"}, false)
	r.Apply(120, &Command{Op: opDo}, false)
	var said []string
	for _, e := range r.events() {
		said = append(said, e.String())
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{
		`"ball" began to touch "ground"`, `"ball" hit "ground" with `, " N·s\n", `"ball" fell asleep`, `"ball" was removed`,
		"tick 120: Impulse for body 4711 was rejected: body 4711 does not exist",
		"tick 120: DestroyJoint for joint 9 was rejected: joint 9 does not exist",
		`tick 120: DoNamed was rejected: no function is registered as "nobody"`,
		"tick 120: Do was rejected: it was given no function, or an empty name",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// The event of a rejected joint lacked the joint's name, and did not say which body was
// wrong.
func TestARejectedJointNamesItselfAndTheBodyThatIsWrong(t *testing.T) {
	r := newRig(t, gravity())
	ground, err := r.CreateBody(BodyDef{Shapes: []ShapeDef{Box(20, 1)}})
	check(t, err)
	ball, err := r.CreateBody(BodyDef{Name: "ball", Kind: Dynamic, Position: Vec{Y: 3}, Shapes: []ShapeDef{Circle(.5)}})
	check(t, err)
	r.start()
	check(t, r.DestroyBody(ball))
	for _, c := range []struct {
		def  JointDef
		said string
	}{
		{JointDef{Kind: RopeJoint, A: ground, B: ball, MaxLength: 1, Name: "rope"}, `CreateJoint for the joint "rope" was rejected: body w3 ("ball") does not exist: it has been removed (body B)`},
		{JointDef{Kind: RevoluteJoint, A: ball, B: ground}, `CreateJoint for joint 77 was rejected: body w3 ("ball") does not exist: it has been removed (body A)`},
		{JointDef{Kind: MouseJoint, B: ground}, `CreateJoint for joint 77 was rejected: body w1 is not dynamic (body B)`},
		{JointDef{Kind: GearJoint, Joint1: 5}, `CreateJoint for joint 77 was rejected: joint 5 does not exist (Joint1)`},
	} {
		r.Apply(1, &Command{Op: opCreateJoint, Joint: 77, JointDef: &c.def}, false)
		all := r.events()
		if e := all[len(all)-1]; !strings.HasSuffix(e.String(), c.said) || e.Joint != 77 || e.NameJoint != c.def.Name {
			t.Errorf("%v (%v, %q); want %s", e, e.Joint, e.NameJoint, c.said)
		}
	}
}

func TestEveryKindPrintsAsAWord(t *testing.T) {
	seen := map[string]bool{}
	check := func(k fmt.Stringer) {
		t.Helper()
		if s := k.String(); s == "unknown" || s == "" || seen[s] {
			t.Errorf("%T prints as %q", k, s)
		}
		seen[k.String()] = true
	}
	for k := Static; k <= Dynamic; k++ {
		check(k)
	}
	for k := CircleShape; k <= ClosedChainShape; k++ {
		check(k)
	}
	for k := RevoluteJoint; k <= MotorJoint; k++ {
		check(k)
	}
	for k := ContactBegin; k <= answered; k++ {
		check(k)
	}
	for _, k := range []fmt.Stringer{BodyKind(99), ShapeKind(99), JointKind(99), EventKind(99), Stepper(99)} {
		if k.String() != "unknown" {
			t.Errorf("%T(99) prints as %q", k, k)
		}
	}
}

func TestAStepperIsFoundByTheNameThatItPrints(t *testing.T) {
	for _, s := range []Stepper{FastStep, SoftStep} {
		if got, err := ParseStepper(s.String()); got != s || err != nil {
			t.Errorf("%q is %v: %v", s, got, err)
		}
	}
	for _, name := range []string{"", "slow", "Fast", "unknown"} {
		if got, err := ParseStepper(name); err == nil || got != FastStep {
			t.Errorf("%q is %v", name, got)
		}
	}
}
