package soft_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/soft"
	"halfstep/internal/box/store"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldgen"
	"halfstep/test/worldhash"
)

// played is a player and the stepper of its world.
type played struct {
	*worldgen.Player
	*keeper
}

// look returns a digest of all values that a program can see.
func (p *played) look() uint64 { return p.DigestOf(worldhash.Objects) ^ p.HashAll() }

// play returns digests of some steps, and the last event.
func (p *played) play(t testing.TB, name string, steps int) (digests []uint64, recent string) {
	t.Helper()
	for i := range steps {
		if failure := p.Player.Step(p.keeper.Step); failure != nil {
			t.Fatalf("%s: panic in step %d: %v", name, i+1, failure)
		}
		if i%3 == 0 { // a program may read contacts or not
			digests = append(digests, p.look())
		}
	}
	return digests, strings.Join(p.Recent(), "\n")
}

// keeper keeps the states of a world and its stepper.
type keeper struct {
	*soft.Stepper
	set  *box.World
	past *b2state.Past
}

// keep makes a stepper for a world whose state can be saved.
func keep(w *box2d.B2World, workers int) *keeper {
	k := &keeper{set: box.New(w, true)}
	k.Stepper = soft.New(w, soft.Options{Workers: workers, Active: k.set, Listener: ofLibrary(w)})
	k.set.Expose()
	columns := new(store.Store)
	k.past = b2state.NewPast(w, k.set, columns, new(b2state.Shapes))
	k.Keep(columns)
	return k
}

// Step assumes that any value may have changed, because other code can change the library's world
// between its methods.
func (k *keeper) Step(dt float64, velocityIterations, positionIterations int) {
	k.set.TakeBack()
	k.Stepper.Step(dt, velocityIterations, positionIterations)
	k.set.Expose()
}

type kept struct {
	world b2state.State
	soft  soft.State
}

func (k *keeper) save(t testing.TB, to *kept) {
	t.Helper()
	k.set.TakeBack()
	k.saveUnchanged(t, to)
	k.set.Expose()
}

// saveUnchanged does the same as save for a world that no other code has changed.
func (k *keeper) saveUnchanged(t testing.TB, to *kept) {
	t.Helper()
	if err := k.past.Save(&to.world); err != nil {
		t.Fatal(err)
	}
	k.Save(&to.soft)
}

func (k *keeper) restore(from *kept) {
	k.set.TakeBack()
	k.restoreUnchanged(from)
	k.set.Expose()
}

func (k *keeper) restoreUnchanged(from *kept) {
	k.past.Restore(&from.world)
	k.Restore(&from.soft)
}

// disturb changes a world between two steps as programs do. The next step must handle the changes,
// even after a restore.
func (p *played) disturb(r *rand.Rand) {
	p.keeper.Step(1./120, 0, 0)
	p.set.LookAtAll()
	for b := p.World.M_bodyList; b != nil; b = b.M_next {
		f := b.M_fixtureList
		switch r.IntN(12) {
		case 0:
			b.SetTransform(box2d.B2Vec2{X: 16*r.Float64() - 8, Y: 10 * r.Float64()}, r.Float64())
		case 1:
			b.SetTransform(b.M_xf.P, b.M_sweep.A) // this has other bits than before
		case 2:
			if f != nil {
				b.CreateFixture(f.M_shape.Clone(), 1)
			}
		case 3:
			if b.M_fixtureCount > 1 {
				b2.MakeDestroyable(f)
				b.DestroyFixture(f)
			}
		case 4:
			if f != nil {
				f.SetSensor(!f.M_isSensor)
			}
		case 5:
			if f != nil {
				f.Refilter()
			}
		case 6:
			if b.M_type == 2 && b.M_jointList == nil {
				b.SetType(uint8(r.IntN(3)))
			}
		case 7:
			for c := range p.set.ContactsOf(b) {
				p.set.SetSurface(c, box.Surface{Friction: r.Float64(), TangentSpeed: r.Float64()})
			}
		case 8:
			if b.M_jointList == nil {
				b.SetActive(false)
				b.SetActive(r.IntN(3) > 0)
			}
		case 9:
			b.SetTransform(box2d.B2Vec2{X: 9, Y: 3}, 1)
			p.World.M_contactManager.FindNewContacts()
			b.SetTransform(b.M_sweep.C0, b.M_sweep.A0)
		}
	}
}

// again plays a random world, saves its state after some steps, and continues. It then restores
// the state and plays the same steps again. It does so twice, and once more in a new world that is
// made from the bytes of the state.
func again(t testing.TB, seed uint64, before, after, workers int) {
	t.Helper()
	name := fmt.Sprintf("seed %d, %d workers", seed, workers)
	player := worldgen.Alternating(seed)
	player.Lazy = true
	p := &played{player, keep(player.World, workers)}
	p.ForceParallel()
	defer p.Close()
	p.play(t, name, before)
	p.disturb(rand.New(rand.NewPCG(seed, 3)))

	var state kept
	p.save(t, &state)
	back, digest := p.Player.Save(), p.look()
	copied := throughBytes(t, name, p, &state, workers)
	want, first := p.play(t, name, after)
	for pass := range 3 {
		if pass < 2 {
			p.restore(&state)
			back()
		} else if p = copied; p == nil {
			return
		} else {
			defer p.Close()
		}
		if pass != 1 && p.look() != digest { // a program may look or not
			t.Fatalf("%s, pass %d: the restored state has other bits", name, pass+1)
		}
		got, recent := p.play(t, name, after)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s, pass %d: other bits or callbacks %d steps after the restore\nfirst:\n%s\nthen:\n%s", name, pass+1, 3*i+1, first, recent)
			}
		}
	}
}

// throughBytes returns a player in a new world that is made from the bytes of a state. It returns
// nil if the player cannot move to another world.
func throughBytes(t testing.TB, name string, p *played, state *kept, workers int) *played {
	t.Helper()
	w := box2d.MakeB2World(box2d.B2Vec2{})
	k := keep(&w, workers)
	k.ForceParallel()
	read, err := throughReader(state)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	k.restore(read)
	moved := p.MoveTo(&w)
	if moved == nil {
		k.Close()
		return nil // callbacks wait for the next step
	}
	return &played{moved, k}
}

// throughReader returns a state that was written and read again.
func throughReader(state *kept) (*kept, error) {
	order := state.world.Order()
	text, _ := state.world.Append(nil, &order)
	r := &binenc.Reader{Rest: state.soft.Append(text, &state.world)}
	l, read := b2state.Read(r, true), new(kept)
	if r.Err != nil {
		return nil, r.Err
	}
	if err := l.Save(&read.world); err != nil {
		return nil, err
	}
	read.soft.Read(r, l, &read.world, soft.DefaultSubSteps)
	if r.Err == nil && len(r.Rest) > 0 {
		r.Err = fmt.Errorf("%d bytes left", len(r.Rest))
	}
	return read, r.Err
}

// The stepper searches again for a contact that the library has made since the last
// step.
func TestAContactMadeSinceTheLastStepIsFoundAfterARestore(t *testing.T) {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	add := func(x float64) *box2d.B2Body {
		def := box2d.MakeB2BodyDef()
		def.Type, def.Position.X = 2, x
		b := w.CreateBody(&def)
		shape := box2d.MakeB2CircleShape()
		shape.M_radius = .5
		b.CreateFixture(&shape, 1)
		return b
	}
	s := keep(&w, 1)
	defer s.Close()
	known := add(0)
	add(.9)
	s.Step(1./60, 0, 0)
	add(10)
	add(10.9)
	w.M_contactManager.FindNewContacts()

	var state kept
	s.save(t, &state)
	s.restore(&state)
	w.DestroyBody(known)
	s.Step(1./60, 0, 0)
	if n := s.set.Contacts.Count(); n != 1 {
		t.Errorf("%d contacts between two circles", n)
	}
}

// A body that was moved counts as moved again after a Restore, although the body was destroyed in
// between.
func TestWhatWasDoneToABodyIsDoneAfterItsDestructionIsUndone(t *testing.T) {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	def := box2d.MakeB2BodyDef()
	def.Type = box2d.B2BodyType.B2_dynamicBody
	b := w.CreateBody(&def)
	shape := box2d.MakeB2CircleShape()
	shape.M_radius = .5
	b.CreateFixture(&shape, 1)
	s := keep(&w, 1)
	defer s.Close()
	s.Step(1./60, 0, 0)
	b.SetTransform(box2d.B2Vec2{X: 10}, 0)
	var state kept
	s.save(t, &state)
	w.DestroyBody(b)
	s.restore(&state)
	s.Step(1./60, 0, 0)
	if at := w.M_bodyList.M_fixtureList.M_proxies[0].Aabb; at.LowerBound.X != 9.5 {
		t.Errorf("the shape begins at %v, not at 9.5", at.LowerBound.X)
	}
}

func TestARestoredSoftWorldGoesOnWithTheSameBitsAndCallbacks(t *testing.T) {
	for i := range worlds(whole.Rounds(9, 3)) { // three worlds for each number of workers
		seed := uint64(*first + i)
		again(t, seed, 20+int(seed%7)*13, norace.Rounds(40, 10), 1<<(i%3))
	}
}

// After that the library's move buffer no longer lists the boxes in the tree that differ from the
// stepper's boxes.
func TestARestoredSoftWorldGoesOnAlikeAfterUsersHadPairsLookedFor(t *testing.T) {
	again(t, 1681230875963761697, 1, 4, 1)   // this world has shapes that no step has seen
	again(t, 3844392657812098933, 53, 4, 1)  // this world has a body that was disabled and enabled
	again(t, 10078078421574959443, 75, 1, 1) // this world has a shape with the number of a removed shape
}

// The edit is undone between a snapshot and the next step.
func TestARestoredSoftWorldGoesOnAlikeWhereAnEditWasUndoneBeforeTheStep(t *testing.T) {
	again(t, 191058455472860520, 82, 1, 1)
	again(t, 18084532268515668957, 146, 1, 1)
}

// The shapes then move in another order when the step begins.
func TestARestoredSoftWorldPutsStraysIntoTheTreeInTheSameOrder(t *testing.T) {
	again(t, 18395765901794496440, 16, 1, 1)
}

// TestAttackSoftRestores does the same as TestARestoredSoftWorld… for a duration that an option
// sets.
func TestAttackSoftRestores(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		seed := r.Uint64()
		before, after := 1+r.IntN(150), 1+r.IntN(80)
		for _, workers := range []int{1, 2, 4} {
			again(t, seed, before, after, workers)
		}
		a.Count("steps after a restore", uint64(after))
	}
}

// A snapshot that was made with one number of workers is valid for any other number, and both with
// the kernel and without.
func TestAStateIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{1, 2, 4} {
		w, _ := soft.SceneWorld(t, "fall1000")
		s := keep(w, workers)
		defer s.Close()
		for range 20 {
			s.Step(1.0/60, 0, 0)
		}
		var state kept
		s.save(t, &state)
		got := state.soft.Append(nil, &state.world)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: another state", workers)
		}
	}
}

func TestSavingAndRestoringAllocateNothing(t *testing.T) {
	norace.Only(t)
	w, _ := soft.SceneWorld(t, "fall1000")
	s := keep(w, 1)
	defer s.Close()
	for range 60 {
		s.Step(1.0/60, 0, 0)
	}
	var state kept
	s.set.TakeBack()
	take := func() { s.saveUnchanged(t, &state) }
	restore := func() { s.restoreUnchanged(&state) }
	take()
	hash := worldhash.Objects(w)
	s.Stepper.Step(1.0/60, 0, 0)
	restore()
	restore() // both tables of bodies have grown
	if worldhash.Objects(w) != hash {
		t.Error("the restored world has other bits")
	}
	if n := testing.AllocsPerRun(10, take); n > 0 {
		t.Errorf("a snapshot makes %v allocations", n)
	}
	if n := testing.AllocsPerRun(10, restore); n > 0 {
		t.Errorf("a restore makes %v allocations", n)
	}
	t.Logf("%d bytes", state.world.Size())
}

// The contacts of the last step have other numbers after a restore.
func TestARestoredWorldHasNoColoursBeforeItsNextStep(t *testing.T) {
	w, _ := soft.SceneWorld(t, "pyramid")
	s := soft.New(w, soft.Options{Workers: 1})
	defer s.Close()
	coloured := func() (n int) {
		s.Colours(func(box.Contact, int) { n++ })
		return n
	}
	for range 3 {
		s.Step(1./60, 0, 0)
	}
	if coloured() == 0 {
		t.Fatal("no contact has a colour")
	}
	var st soft.State
	s.Save(&st)
	s.Restore(&st)
	if n := coloured(); n > 0 {
		t.Errorf("%d contacts have a colour", n)
	}
	if s.Step(1./60, 0, 0); coloured() == 0 {
		t.Error("after a step no contact has a colour")
	}
}

// If the state were accepted, points of contact would be NaN.
func TestAStateWhoseRotationsAreNoneIsRefused(t *testing.T) {
	w, _ := soft.SceneWorld(t, "pyramid")
	s := keep(w, 1)
	defer s.Close()
	for range 3 {
		s.Step(1./60, 0, 0)
	}
	var st kept
	s.save(t, &st)
	if _, err := throughReader(&st); err != nil {
		t.Fatal(err)
	}
	rotations := s.Rotations()
	if len(rotations) != 2 {
		t.Fatalf("%d rotations", len(rotations))
	}
	for of, x := range rotations {
		was := *x
		*x = -3e38
		s.save(t, &st)
		if _, err := throughReader(&st); err == nil {
			t.Errorf("%s: it is accepted", of)
		}
		*x = was
	}
}
