package world

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The records and slots are copied whole. What their pointers lead to has to be
// copied, or put back in another way: these are the fields of which that is known.
var knownPointers = map[reflect.Type]string{
	reflect.TypeFor[body]():    "b user mass shapes prev next", // what mass and user lead to does not change
	reflect.TypeFor[shape]():   "of fix user",
	reflect.TypeFor[joint]():   "j user gears parts",
	reflect.TypeFor[slot]():    "b rec",
	reflect.TypeFor[vital]():   "ground",
	reflect.TypeFor[Event]():   "User Err reply",
	reflect.TypeFor[control](): "Controller",
}

// What a world holds: in a snapshot, or why not.
var knownOfWorld = map[string]string{
	"vital": "whole", "b2": "b2state.State", "bodies": "records", "shapes": "records", "joints": "records",
	"first": "records", "last": "records", "slots": "slots", "free": "slots", "loaded": "forces",
	"contacts": "events", "controls": "control", "hooks": "control", "preSolve": "control", "states": "control",
	"chosen": "never goes back", "handles": "setup", "shift": "Restore works it out", "made": "never goes back", "frame": "the engine's",

	"step": "how", "stepper": "how", "out": "setup", "lane": "setup", "watch": "setup", "guard": "setup",
	"registered": "setup", "geometry": "of all snapshots", "saved": "the snapshots", "rejected": "a statistic",
	"shouldCollide": "control", "breakable": "records",
	"presolving": "scratch", "question": "scratch", "asked": "scratch", "touching": "scratch", "dt": "of the step at hand",
	"soft":    "soft.State",
	"shapeID": "never goes back", "jointID": "never goes back", "restores": "never goes back",
	"stepped": "the engine's", "phase": "where the call comes from", "scheduled": "of the command in hand",
	"unstamped": "of the log", "late": "flushed by Restore", "dying": "flushed by Restore",
	"later": "dropped by Restore", "begun": "empty but in a step", "spare": "scratch", "bodyLooks": "scratch",
	"shapeLooks": "scratch", "jointLooks": "scratch", "stack": "scratch", "manifold": "scratch", "scrapEvent": "scratch",
}

func TestASnapshotKnowsEveryFieldOfAWorld(t *testing.T) {
	world := reflect.TypeFor[World]()
	for i := range world.NumField() {
		if name := world.Field(i).Name; knownOfWorld[name] == "" {
			t.Errorf("World.%s: say here whether a snapshot holds it. Plain values belong in vital", name)
		}
	}
	for name := range knownOfWorld {
		if _, ok := world.FieldByName(name); !ok {
			t.Errorf("World has no field %s", name)
		}
	}
	for structure, known := range knownPointers {
		names := pointers(structure)
		for _, name := range names {
			if !slices.Contains(strings.Fields(known), name) {
				t.Errorf("%v.%s leads to memory that a snapshot does not copy", structure, name)
			}
		}
		for _, name := range strings.Fields(known) {
			if !slices.Contains(names, name) {
				t.Errorf("%v has no pointer %s", structure, name)
			}
		}
	}
}

// pointers lists the fields of a struct that lead to other memory. Strings do
// not change.
func pointers(structure reflect.Type) (names []string) {
	for i := range structure.NumField() {
		if f := structure.Field(i); leads(f.Type) {
			names = append(names, f.Name)
		}
	}
	return names
}

func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return leads(t.Elem())
	case reflect.Struct:
		return len(pointers(t)) > 0
	}
	return false
}
