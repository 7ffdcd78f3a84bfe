package world_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
)

// noEdits are the methods of a world that change no bodies, or that the attack calls itself.
var noEdits = strings.Fields(`AddContactHook AddController AddControllerEvery AddState Alive Bodies Body BodyContacts BodyDef Bounds
	BodyPointer Box2D Config Contacts Counts DrawLine DrawPoint DrawText Find FindJoint Gravity HandleOf HandleOfJoint HandleOfShape
	Hash Joint Joints JointsOf Keep Later NotInDefinitions Query Register Restore Shape ShapeContacts Shapes Snapshot StateHash
	Surfaces Tick`)

func TestTheAttackOfEditsUsesEveryMethodThatChangesAWorld(t *testing.T) {
	has := reflect.TypeFor[*world.World]()
	for i := range has.NumMethod() {
		name := has.Method(i).Name
		if (edits[name] != nil) == slices.Contains(noEdits, name) {
			t.Errorf("World.%s: among the edits %v, among what edits nothing %v", name, edits[name] != nil, slices.Contains(noEdits, name))
		}
	}
	for name := range edits {
		if _, ok := has.MethodByName(name); !ok {
			t.Errorf("a world has no method %s", name)
		}
	}
	// Each command that changes the world has a method of World that does the same.
	has = reflect.TypeFor[world.Commands]()
	others := strings.Fields(`At From Room Nothing Do DoNamed Inspect KeepSnapshot RestoreSnapshot NearestPoint QueryBox QueryPoint RayCast
		CreateBodyWithShapes`)
	for i := range has.NumMethod() {
		if name := has.Method(i).Name; edits[name] == nil && !slices.Contains(others, name) {
			t.Errorf("Commands.%s has no edit", name)
		}
	}
}

// editing makes a world, edits it, and checks it after every edit.
func editing(j *judged, t *tally) {
	scene := scenesToEdit[j.IntN(len(scenesToEdit))]
	c := world.Config{Stepper: j.way, Workers: 1 + j.IntN(2), NoSleep: j.IntN(2) == 0, NoWarmStarting: j.IntN(2) == 0, NoContinuous: j.IntN(6) == 0}
	e := newEdited(j.TB, c)
	scene.make(j, e)
	if scene.name == "in motion" {
		e.steps(j.IntN(120))
	} else {
		e.steps([]int{0, 1, 10, 120, 240}[j.IntN(5)])
	}
	e.look()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range edits {
			if !yield(name) {
				return
			}
		}
	})
	name, remembers := j.name, false
	for n := range 1 + j.IntN(3) {
		var d edit
		var method string
		for d.do == nil {
			if method = names[j.IntN(len(names))]; j.IntN(3) == 0 { // every third time, a change of mass
				method = []string{"SetDensity", "CreateShape", "DestroyShape", "ReplaceShape"}[j.IntN(4)]
			}
			d = edits[method](&author{j, e})
		}
		remembers = remembers || d.remembers
		j.name = fmt.Sprintf("%s: %s, warm %v, sleep %v, edit %d: %s", name, scene.name, !c.NoWarmStarting, !c.NoSleep, n, d.name)
		e = j.judge(e, d, remembers, t)
		t.edits++
		e.look()
		e.steps(j.IntN(12))
	}
	if !remembers && j.IntN(2) == 0 {
		j.rest(e, t)
	}
}

// Every edit is tried at every phase of a step.
func TestAttackEdits(t *testing.T) {
	a := attack.Start(t)
	var c tally
	for r := range a.Rounds() {
		way := []world.Stepper{world.SoftStep, world.SoftStep, world.FastStep}[r.IntN(3)]
		editing(&judged{TB: a, Rand: r, way: way, name: "edits"}, &c)
	}
	a.Count("edits", c.edits)
	a.Count("steps compared", c.steps)
	a.Count("worlds at rest compared", c.rests)
}

// An edited world goes on, and comes to rest, like one that was made with the edit.
func TestAnEditedWorldIsAsOneThatWasMadeSo(t *testing.T) {
	norace.Only(t)
	for _, way := range []world.Stepper{world.FastStep, world.SoftStep} {
		t.Run(way.String(), func(t *testing.T) {
			var c tally
			for seed := range uint64(40) {
				editing(&judged{TB: t, Rand: rand.New(rand.NewPCG(seed, 62)), way: way, name: fmt.Sprintf("seed %d", seed)}, &c)
			}
			if c.steps < 30 || c.rests < 3 {
				t.Errorf("it judged too little: %+v", c)
			}
		})
	}
}
