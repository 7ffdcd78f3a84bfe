package world

import (
	"bytes"
	"encoding/binary"
	"hash/crc64"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"halfstep/test/norace"
	"halfstep/test/whole"
)

// everything is a small world with objects of all kinds, some steps after its start.
func everything(t testing.TB, cfg Config) *rig {
	t.Helper()
	r := newRig(t, cfg)
	r.AddController(&counter{})
	ground := r.body(BodyDef{Name: "ground", Shapes: []ShapeDef{
		Edge(Vec{X: -9, Y: 0}, Vec{X: 0, Y: 0}), Chain(Vec{X: 0, Y: 0}, Vec{X: 4, Y: .1}, Vec{X: 9, Y: 0}), Box(1, .2)}, User: "soil"})
	var boxes []Body
	for i := range 5 {
		boxes = append(boxes, r.body(BodyDef{
			Kind: Dynamic, Position: Vec{X: float64(2*i) - 5, Y: .6 + float64(i%2)}, Bullet: i == 1, User: i, Disabled: i == 4,
			Shapes: []ShapeDef{[...]ShapeDef{Box(.5, .5), Circle(.5)}[i%2]}}))
	}
	r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -5, Y: 1.8}, Shapes: []ShapeDef{Circle(.4)}, Mass: &Mass{3, Vec{X: .1, Y: 0}, 1}})
	r.body(BodyDef{Position: Vec{X: -5, Y: 1}, Shapes: []ShapeDef{{Kind: CircleShape, Points: []Vec{{}}, Radius: 2, Sensor: true}}})
	turn := r.joint(JointDef{Kind: RevoluteJoint, A: ground, B: boxes[0], AnchorB: Vec{X: 0, Y: 1}, User: 2.5})
	slide := r.joint(JointDef{Kind: PrismaticJoint, A: ground, B: boxes[1]})
	r.joint(JointDef{Kind: GearJoint, Joint1: turn, Joint2: slide})
	r.joint(JointDef{Kind: MouseJoint, B: boxes[2], Target: Vec{X: 1, Y: 3}, MaxForce: 50})
	r.joint(JointDef{Kind: WheelJoint, A: boxes[2], B: boxes[3], Frequency: 3})
	r.start()
	r.run(20)
	r.frame(3, Command{Op: opCreateBody, Body: 40, Shape: 50, BodyDef: &BodyDef{Kind: Dynamic, Position: Vec{X: 3, Y: 1}, Shapes: []ShapeDef{Box(.2, .2)}}},
		Command{Op: opForce, Body: boxes[3], V: Vec{X: 1, Y: 2}})
	gone := r.box(8, 3)
	r.run(1)
	check(t, r.DestroyBody(gone)) // leaves a free slot and free nodes
	r.apply(Command{Op: opForce, Body: boxes[3], V: Vec{X: 5, Y: 0}})
	return r
}

// bytesOf returns the bytes of a snapshot of the world.
func bytesOf(t testing.TB, r *rig) []byte {
	t.Helper()
	b, err := r.take().MarshalBinary()
	check(t, err)
	return b
}

// reopened is a new world, in the state of the bytes of a snapshot.
func reopened(t testing.TB, cfg Config, b []byte) (*rig, *Snapshot) {
	t.Helper()
	s, err := LoadSnapshot(b)
	check(t, err)
	r := newRig(t, cfg)
	r.AddController(&counter{})
	check(t, r.World.Restore(s))
	r.start()
	return r, s
}

func TestASnapshotTellsHowItsWorldIsStepped(t *testing.T) {
	for way := range Stepper(len(stepperNames)) {
		cfg := gravity()
		cfg.Stepper = way
		r := newRig(t, cfg)
		taken, want := r.take(), r.World.cfg.Stepper
		loaded, err := LoadSnapshot(bytesOf(t, r))
		check(t, err)
		if taken.Stepper() != want || loaded.Stepper() != want {
			t.Errorf("%v when taken, %v when loaded, but the world has %v", taken.Stepper(), loaded.Stepper(), want)
		}
	}
}

func TestWhatIsLoadedIsWhatWasSaved(t *testing.T) {
	old := everything(t, gravity())
	r, s := reopened(t, gravity(), bytesOf(t, old))
	if r.World.Tick() != old.World.Tick() || r.controls[0].Controller.(*counter).n != old.World.Tick() {
		t.Errorf("it is at tick %d, its controller at %d", r.World.Tick(), r.controls[0].Controller.(*counter).n)
	}
	for b := range old.Bodies() {
		if r.info(b) != old.info(b) {
			t.Errorf("%v is %+v, not %+v", b, r.info(b), old.info(b))
		}
	}
	for h := range old.registry.joints {
		was, _ := old.Joint(h)
		if is, err := r.Joint(h); is != was {
			t.Errorf("%v is %+v, not %+v: %v", h, is, was, err)
		}
	}
	for h := range old.registry.shapes {
		was, _ := old.Shape(h)
		if is, err := r.Shape(h); is != was {
			t.Errorf("%v is %+v, not %+v: %v", h, is, was, err)
		}
	}
	// New handles continue after the old ones.
	if b := r.handles.next(ofBodies, 1); b != 41 {
		t.Errorf("the next command makes %v", b)
	}
	if a, b := r.box(0, 9), old.box(0, 9); a != b {
		t.Errorf("the world makes %v, not %v", a, b)
	}
	if err := newRig(t, gravity()).World.Restore(s); err != errForeign {
		t.Errorf("a second world took it: %v", err)
	}
}

func TestALoadedSnapshotIsRestoredAgainWithItsShapes(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		s := NewSimulation(Config{Stepper: stepper})
		t.Cleanup(s.Close)
		w := s.World()
		if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(.5, .5)}}); err != nil {
			t.Fatal(err)
		}
		var taken Snapshot
		if err := w.Snapshot(&taken); err != nil {
			t.Fatal(err)
		}
		data, err := taken.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadSnapshot(data)
		if err != nil {
			t.Fatal(err)
		}
		var hashes [3]uint64
		for i := range hashes {
			if err := w.restore(loaded, asBefore, 0); err != nil {
				t.Fatal(err)
			}
			for tick := range uint64(5) {
				s.Step(tick+1, 1./60)
			}
			hashes[i] = w.StateHash()
		}
		if hashes[1] != hashes[0] || hashes[2] != hashes[0] {
			t.Errorf("%v: restored again and again it goes on with hashes %x", stepper, hashes)
		}
	}
}

func TestASnapshotThatCanNotBeUsedIsRefusedInOneLine(t *testing.T) {
	good := bytesOf(t, everything(t, gravity()))
	arch := len(snapshotMagic) + 5
	damage := func(i int, with string) []byte {
		return append(append(bytes.Clone(good[:i]), with...), good[i+len(with):]...)
	}
	for want, b := range map[string][]byte{
		"no snapshot":        []byte("halfstep snapsho"),
		"format 9":           damage(len(snapshotMagic), "\x09"),
		"taken on":           damage(arch, "z80"),
		"damaged":            damage(len(good)-9, "\x00\x01\x02"),
		"made by method 99":  damage(arch+int(good[arch-1]), "\x63\x00"),
		"another version of": damage(arch+int(good[arch-1])+4, "\x00\x01\x02"),
	} {
		if _, err := LoadSnapshot(b); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q expected: %v", want, err)
		}
	}
	for i := 0; i < len(good); i += 17 {
		b := bytes.Clone(good)
		b[i] ^= 1
		if _, err := LoadSnapshot(b); err == nil {
			t.Fatalf("byte %d was changed, and nobody saw it", i)
		}
	}
	for n := range len(good) {
		if _, err := LoadSnapshot(good[:n]); err == nil {
			t.Fatalf("%d of %d bytes were taken", n, len(good))
		}
	}
	s, err := LoadSnapshot(good)
	check(t, err)
	s.made = 1<<63 - 1 // with this number the world would give out handles twice
	if b, err := s.MarshalBinary(); err != nil {
		t.Error(err)
	} else if _, err := LoadSnapshot(b); err == nil || !strings.Contains(err.Error(), "contradicts") {
		t.Errorf("handles: %v", err)
	}
	bare := newRig(t, gravity())
	if err := bare.World.Restore(s); err == nil || !strings.Contains(err.Error(), "counter") {
		t.Errorf("a world without the controller took it: %v", err)
	}
	if bare.World.Counts().Bodies != 0 {
		t.Error("a refused snapshot changed the world")
	}
	if _, err := new(Snapshot).MarshalBinary(); err != errEmpty {
		t.Errorf("an empty one: %v", err)
	}
}

func TestASnapshotOfAnotherStepperIsRefused(t *testing.T) {
	steppers := map[string]Stepper{"soft": SoftStep}
	if !softly {
		steppers["fast"] = FastStep
	}
	for from, a := range steppers {
		b := bytesOf(t, everything(t, Config{Stepper: a}))
		for to, c := range steppers {
			s, err := LoadSnapshot(b)
			check(t, err)
			r := newRig(t, Config{Stepper: c})
			r.AddController(&counter{})
			err = r.World.Restore(s)
			if (err == nil) != (from == to) || err != nil && !strings.Contains(err.Error(), `"`+from+`" stepper; this one has "`+to+`"`) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
	}
}

func TestASnapshotBecomesBytesWhileTheWorldGoesOn(t *testing.T) {
	r := everything(t, Config{Gravity: Vec{X: 0, Y: -10}, Workers: 1})
	s := r.take()
	want, err := s.MarshalBinary()
	check(t, err)
	got := make(chan []byte)
	go func() {
		b, _ := s.MarshalBinary()
		got <- b
	}()
	for range 50 {
		r.box(0, 9)
		r.frame(1, Command{Op: opDestroyBody, Body: r.registry.first.next.handle})
	}
	if !bytes.Equal(<-got, want) {
		t.Error("the bytes are others")
	}
}

func TestUserValuesThatBytesCanNotHoldAreLeftOut(t *testing.T) {
	r := newRig(t, gravity())
	kept := []any{nil, true, "text", 1, int8(2), uint64(3), uintptr(4), float32(5), 6.5, complex(7, 8)}
	for _, user := range append(kept, &struct{}{}, []int{1}, struct{ a int }{1}) {
		r.body(BodyDef{User: user})
	}
	s, err := LoadSnapshot(bytesOf(t, r))
	check(t, err)
	bodies := s.listed().bodies
	for i := range bodies {
		var want any
		if i < len(kept) {
			want = kept[i]
		}
		if got := bodies[i].value.user; got != want {
			t.Errorf("%#v, not %#v", got, want)
		}
	}
}

// mended corrects the header and the checksum of damaged bytes, so that the world cannot find the
// damage by them.
func mended(b []byte, good []byte) []byte {
	arch := len(snapshotMagic) + 4
	head := arch + 1 + int(good[arch]) + 4 + 24
	if len(b) < head {
		return b
	}
	b = append(bytes.Clone(good[:head]), b[head:]...)
	binary.LittleEndian.PutUint64(b[head-16:], uint64(len(b)-head))
	binary.LittleEndian.PutUint64(b[head-8:], crc64.Checksum(b[head:], checksums))
	return b
}

// tried loads a damaged snapshot, and steps the world if it accepts the snapshot.
func tried(t testing.TB, b []byte) (taken bool) {
	t.Helper()
	s, err := LoadSnapshot(b)
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Fatalf("more than a line: %v", err)
		}
		return false
	}
	cfg := gravity()
	if s.Stepper() == SoftStep {
		cfg.Stepper = SoftStep
	}
	r := newRig(t, cfg)
	defer r.Close()
	r.AddController(&counter{})
	if err := r.World.Restore(s); err != nil {
		return false
	}
	r.start()
	defer func() {
		// Because of impossible numbers a step may panic, as in any world. But memory and lists must stay
		// intact.
		switch v := recover().(type) {
		case nil, string:
		case runtime.Error:
			panic(v)
		case error:
			if strings.Contains(v.Error(), "runtime error") {
				panic(v)
			}
		}
	}()
	r.run(3)
	return true
}

func FuzzLoadSnapshot(f *testing.F) {
	good := bytesOf(f, everything(f, gravity()))
	f.Add(good)
	empty := newRig(f, gravity())
	empty.AddController(&counter{})
	f.Add(bytesOf(f, empty))
	soft := bytesOf(f, everything(f, Config{Stepper: SoftStep}))
	f.Add(soft)
	f.Fuzz(func(t *testing.T, b []byte) {
		tried(t, b)
		tried(t, mended(b, good))
		tried(t, mended(b, soft))
	})
}

// The bytes of a snapshot are changed, and its checksum is corrected.
func TestNoDamageToASnapshotEndsInAPanic(t *testing.T) {
	norace.Only(t)
	good := bytesOf(t, everything(t, gravity()))
	refused, taken, stride := 0, 0, whole.Rounds(13, 53)
	if softly { // the soft stepper has more bytes, and the fuzz target tries those, too
		stride = 47
	}
	for i := 0; i < len(good); i += 1 + i%stride {
		for _, flip := range []byte{1, 0x80, 0xff} {
			b := bytes.Clone(good)
			b[i] ^= flip
			func() {
				defer func() {
					if v := recover(); v != nil {
						t.Fatalf("byte %d of %d, flipped by %#x: %v", i, len(good), flip, v)
					}
				}()
				if tried(t, mended(b, good)) {
					taken++
				} else {
					refused++
				}
			}()
		}
	}
	t.Logf("%d refused, %d taken", refused, taken)
	if refused < 100 || taken < 13000/stride {
		t.Errorf("%d refused, %d taken", refused, taken)
	}
}

// The saved world and the loaded world get the same commands, and both get them again after a
// restore. The test must not read the library's objects: after raw access the world compares all
// objects for changes.
func TestALoadedWorldTakesEveryCommandAsTheSavedOneDoes(t *testing.T) {
	norace.Only(t)
	edits := 0
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 69))
		cfg := Config{Gravity: Vec{Y: -10}, Stepper: [...]Stepper{FastStep, SoftStep}[seed%2], Workers: 1}
		old := newRig(t, cfg)
		defer old.Close()
		c := NewChaos(random, old.World)
		old.start()
		commands := func(n int) (list []Command) {
			for range n {
				if k := c.Command(); k.Op != opInspect {
					list = append(list, k)
				}
			}
			return list
		}
		for range 20 {
			old.frame(1, commands(3)...)
		}
		for range 12 {
			begin := old.take()
			s, err := LoadSnapshot(bytesOf(t, old))
			check(t, err)
			loaded := newRig(t, cfg)
			defer loaded.Close()
			check(t, private{}.Resume(loaded.Simulation, s))
			loaded.tick = old.tick
			loaded.start()
			own, tick := loaded.take(), old.tick
			type frame struct {
				commands []Command
				looks    bool // a snapshot is made before the steps
				steps    int
			}
			var frames []frame
			for _, least := range [...]int{0, 0, 1} { // the last frame has a step, which ends the forces of the frame
				frames = append(frames, frame{commands(1 + random.IntN(3)), random.IntN(2) == 0, least + random.IntN(3)})
			}
			var want []*Snapshot
			play := func(what string, r *rig) {
				t.Helper()
				for i, f := range frames {
					edits += len(f.commands)
					if r.BeginFrame(); f.looks {
						r.apply(f.commands...)
						r.take()
						r.frame(f.steps)
					} else {
						r.frame(f.steps, f.commands...)
					}
					r.events()
					r.structure()
					is, err := LoadSnapshot(bytesOf(t, r))
					check(t, err)
					if len(want) == i {
						want = append(want, is)
					} else if d := want[i].Difference(is); d != "" {
						t.Fatalf("seed %d, tick %d: %s differs: %s; after %v", seed, r.tick, what, d, opsOf(f.commands))
					}
				}
			}
			play("the saved world", old)
			hash := old.StateHash()
			play("the loaded world", loaded)
			if loaded.StateHash() != hash {
				t.Fatalf("seed %d, tick %d: the loaded world has another StateHash", seed, loaded.tick)
			}
			check(t, private{}.Rerun(loaded.Simulation, own))
			loaded.tick = tick
			play("the loaded world, gone back,", loaded)
			check(t, private{}.Rerun(old.Simulation, begin))
			old.tick = tick
			play("the saved world, gone back,", old)
		}
	}
	if edits < 1000 {
		t.Errorf("a dull test: %d commands", edits)
	}
}

func opsOf(list []Command) (ops []opcode) {
	for _, c := range list {
		ops = append(ops, c.Op)
	}
	return ops
}
