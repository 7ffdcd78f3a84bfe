package world

import (
	"reflect"
	"testing"

	"halfstep/test/fields"
)

// The records and slots are copied whole. What their pointers lead to has to be
// copied, or put back in another way: these are the fields of which that is known.
var knownPointers = map[reflect.Type]string{
	reflect.TypeFor[body]():    "b user mass shapes prev next", // what mass and user lead to does not change
	reflect.TypeFor[shape]():   "of fix user segments",         // what segments has does not change
	reflect.TypeFor[joint]():   "j user gears parts extra",     // b2state keeps what is in extra
	reflect.TypeFor[slot]():    "b rec",
	reflect.TypeFor[saved]():   "ground cfg", // mixes do not change
	reflect.TypeFor[loaded]():  "of",
	reflect.TypeFor[Event]():   "User Err reply",
	reflect.TypeFor[control](): "Controller",
}

// What a world holds: in a snapshot, or why not.
var knownOfWorld = map[string]string{
	"setup": "setup", "saved": "whole", "scratch": "scratch", "b2": "b2state.State", "bodies": "records", "shapes": "records", "joints": "records",
	"first": "records", "last": "records", "slots": "slots", "free": "slots", "loaded": "forces",
	"contacts": "events", "drawings": "drawings", "callbacks": "control", "counters": "whole, but none goes back as it is",
	"edits":   "of records",
	"handles": "setup", "waiting": "Snapshot.scheduled",

	"hashed": "told of what Restore changes", "geometry": "of all snapshots", "keeping": "of all snapshots", "rejected": "a statistic",
	"breakable": "records", "removed": "for messages", "removals": "for messages",
	"carried": "of the picture",

	"restores": "never goes back",
	"changed":  "everything after Restore", "stepped": "the engine's", "phase": "where the call comes from", "scheduled": "of the command in hand",
	"unstamped": "of the log", "late": "flushed by Restore", "dying": "flushed by Restore",
	"leaving": "of the log", "departures": "of the log",
	"later": "dropped by Restore", "begun": "empty but in a step", "hooked": "0 but in a step", "still": "of the frame at hand", "start": "of the run",
}

func TestASnapshotKnowsEveryFieldOfAWorld(t *testing.T) {
	world := reflect.TypeFor[World]()
	for _, name := range fields.Names(world) {
		if knownOfWorld[name] == "" {
			t.Errorf("World.%s: say here whether a snapshot holds it. Plain values belong in saved", name)
		}
	}
	for name := range knownOfWorld {
		if _, ok := world.FieldByName(name); !ok {
			t.Errorf("World has no field %s", name)
		}
	}
	for structure, known := range knownPointers {
		fields.Check(t, structure, fields.Pointers(structure), known)
	}
}
