package world

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/owner"
	"halfstep/test/fields"
)

// Records and slots are copied whole. If a field of these types points to something, that
// must be copied, too, or be restored in another way. The test knows that this is so for
// these fields.
var knownPointers = map[reflect.Type]string{
	reflect.TypeFor[body]():    "b user mass shapes prev next", // the targets of mass and user never change
	reflect.TypeFor[shape]():   "of fix user segments",         // the target of segments never changes
	reflect.TypeFor[joint]():   "j user gears parts extra",     // b2state stores the target of extra
	reflect.TypeFor[slot]():    "b rec",
	reflect.TypeFor[saved]():   "ground cfg", // mixes do not change
	reflect.TypeFor[loaded]():  "of",
	reflect.TypeFor[Event]():   "User Err reply",
	reflect.TypeFor[control](): "Controller",
}

// For each field of a world and of its parts: where a snapshot has it, or why a snapshot
// does not need it.
var knownOfWorld = map[string]string{
	"setup": "setup", "scratch": "scratch", "b2": "b2state.State", "cfg": "saved", "callbacks": "control", "ran": "saved",
	"handles": "setup", "waiting": "Snapshot.scheduled", "later": "dropped by Restore", "hooked": "0 but in a step",
	"numbered": "setup", "carried": "of the picture", "hashes": "told of what Restore changes",
	"refused":   "saved",
	"when.tick": "saved", "when.now": "saved", "when.dt": "saved", "when.shift": "counters", "when.frame": "counters",
	"when.phase": "where the call comes from", "when.start": "of the run", "when.stepped": "the engine's",
	"when.still": "of the frame at hand", "when.scheduled": "of the command in hand",

	"registry.bodies": "records", "registry.shapes": "records", "registry.joints": "records", "registry.first": "records", "registry.last": "records",
	"registry.edits": "of records", "registry.removed": "for messages", "registry.removals": "for messages",
	"registry.made": "counters", "registry.chosen": "counters", "registry.shapeID": "counters", "registry.jointID": "counters",

	"places.slots": "slots", "places.free": "slots", "places.changed": "everything after Restore", "places.awake": "saved", "places.course": "saved",
	"places.dying": "flushed by Restore", "places.shown": "scratch", "places.moved": "scratch",

	"news.out": "of the run", "news.scrap": "scratch", "news.rejected": "a statistic", "news.unstamped": "of the log",
	"news.late": "flushed by Restore", "news.leaving": "of the log", "news.departures": "of the log",

	"forces.loaded": "forces", "sheet.drawings": "drawings", "sheet.drawn": "saved",
	"masses.weighed": "scratch", "crowd.coming": "saved", "crowd.stack": "scratch", "crowd.fat": "scratch",
	"surfaces.hasOneWay": "saved", "surfaces.someRoll": "saved", "surfaces.someRest": "saved",
	"contacts.told": "events", "contacts.begun": "empty but in a step", "contacts.landed": "of the step at hand",
	"contacts.spare": "scratch", "contacts.burst": "scratch", "contacts.touching": "scratch", "contacts.manifold": "scratch",
	"links.breakable": "records", "links.ground": "saved",

	"keeping.past": "of all snapshots", "keeping.geometry": "of all snapshots", "keeping.slots": "of all snapshots", "keeping.records": "of all snapshots",
	"keeping.store": "of all snapshots", "keeping.back": "of the restore at hand", "keeping.restores": "never goes back", "keeping.dt": "of the step back at hand",
	"keeping.moreShapes": "memory", "keeping.moreJoints": "memory",

	"aftermath.lookAt": "setup", "aftermath.list": "scratch", "aftermath.looked": "scratch", "aftermath.jolt": "scratch", "aftermath.turned": "scratch", "aftermath.slotsOf": "scratch",

	"space.question": "scratch", "space.asked": "scratch", "space.stack": "scratch",
}

// namesOf returns the names of the fields of a world and of its parts. It does not follow
// pointers from one part to another.
func namesOf() (names []string) {
	world := reflect.TypeFor[World]()
	rooms := []reflect.Type{
		reflect.TypeFor[moment](), reflect.TypeFor[registry](), reflect.TypeFor[places](), reflect.TypeFor[news](), reflect.TypeFor[forces](),
		reflect.TypeFor[sheet](), reflect.TypeFor[masses](), reflect.TypeFor[crowd](), reflect.TypeFor[surfaces](),
		reflect.TypeFor[contacts](), reflect.TypeFor[links](), reflect.TypeFor[keeping](), reflect.TypeFor[aftermath](), reflect.TypeFor[space](),
	}
	others := append([]reflect.Type{
		reflect.TypeFor[box.World](), reflect.TypeFor[soft.Stepper](), reflect.TypeFor[box2d.B2World](), reflect.TypeFor[Config](),
		reflect.TypeFor[callbacks](), reflect.TypeFor[owner.Guard](),
	}, rooms...)
	for _, name := range fields.Names(world) {
		f, _ := world.FieldByName(name)
		if !slices.Contains(rooms, f.Type) {
			names = append(names, name)
			continue
		}
		for of := range f.Type.Fields() {
			if of.Type.Kind() != reflect.Pointer || !slices.Contains(others, of.Type.Elem()) {
				names = append(names, name+"."+of.Name)
			}
		}
	}
	return names
}

func TestASnapshotKnowsEveryFieldOfAWorld(t *testing.T) {
	names := namesOf()
	for _, name := range names {
		if knownOfWorld[name] == "" {
			t.Errorf("World.%s: say here whether a snapshot holds it", name)
		}
	}
	for name := range knownOfWorld {
		if !slices.Contains(names, name) {
			t.Errorf("World has no field %s", name)
		}
	}
	for structure, known := range knownPointers {
		fields.Check(t, structure, fields.Pointers(structure), known)
	}
}
