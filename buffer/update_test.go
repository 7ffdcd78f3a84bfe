package buffer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/internal/reslice"
)

// mirror is a reader's copy of the states. Like the copy on the GPU, it is updated
// by the stamps.
type mirror struct {
	serial uint64
	states []body
	copied int // in the last look
}

func (m *mirror) look(s *Slot[body]) {
	m.states, m.copied = reslice.Resize(m.states, len(s.States)), 0
	for i := range s.Changes.Since(m.serial) {
		m.states[i] = s.States[i]
		m.copied++
	}
	m.serial = s.Serial
}

// The reader gets exactly the published states, and so does a copy that is updated
// by the stamps. This holds however long ago a slot was written, however many
// states were skipped, and while states are added and removed. The test finds a
// slot that is updated from another state than its own.
func TestWhatIsUpdatedIsWhatWasPublished(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := NewExchange[body]()
		var world []body
		var changed []int32
		published := map[uint64][]body{}
		var mirrors [3]mirror
		most := []int{3, 40, 300}[r.IntN(3)]
		for tick := uint64(0); tick < 120; tick++ {
			if r.IntN(6) == 0 {
				old := len(world)
				world = reslice.Resize(world, r.IntN(most))
				for i := old; i < len(world); i++ {
					world[i][0] = r.Uint64()
				}
			}
			changed = changed[:0]
			for range r.IntN(5) {
				if len(world) > 0 {
					changed = append(changed, int32(r.IntN(len(world))))
				}
			}
			for _, i := range changed {
				world[i][r.IntN(4)] = r.Uint64()
			}
			s := x.Next()
			if r.IntN(10) == 0 {
				s.States = append(s.States[:0], world...)
			} else {
				s.Update(len(world), changed, func(i int, to *body) { *to = world[i] })
			}
			s.Meta = Meta{Tick: tick}
			switch k := r.IntN(10); {
			case k == 0 || tick == 0:
				x.Restart()
			case k == 1:
				x.Republish()
			default:
				x.Publish()
			}
			published[x.w.serial] = slices.Clone(world)
			if r.IntN(1+int(seed)%5) > 0 {
				continue
			}
			x.AcquireUpTo(tick - uint64(r.IntN(2)))
			for _, s := range []*Slot[body]{x.Previous(), x.Current()} {
				if want, ok := published[s.Serial]; ok && !slices.Equal(s.States, want) {
					t.Fatalf("seed %d: state %d of tick %d is not what was published", seed, s.Serial, s.Tick)
				}
				for k := range mirrors {
					if m := &mirrors[k]; r.IntN(k+1) == 0 && s.Serial >= m.serial {
						if m.look(s); !slices.Equal(m.states, s.States) {
							t.Fatalf("seed %d: mirror %d differs from state %d", seed, k, s.Serial)
						}
					}
				}
			}
		}
	}
}

// A publish writes the changes since its slot was last written, and a reader copies
// the changes since its last Acquire. Neither time grows with the number of
// unchanged states.
func TestWhatIsWrittenAndCopiedFollowsWhatChanges(t *testing.T) {
	const n, moving = 10_000, 7
	x := NewExchange[body]()
	changed := make([]int32, moving)
	for i := range changed {
		changed[i] = int32(i * 1000)
	}
	var m mirror
	for tick := uint64(0); tick < 100; tick++ {
		written := 0
		s := x.Next()
		s.Update(n, changed, func(i int, to *body) { *to, written = body{tick}, written+1 })
		s.Meta = Meta{Tick: tick}
		x.Publish()
		x.Acquire()
		m.look(x.Current())
		if tick > slots && (written != moving || m.copied != moving) {
			t.Fatalf("tick %d: %d states written and %d copied where %d change", tick, written, m.copied, moving)
		}
	}
}

func TestAnUpdateAllocatesNothingOnceGrown(t *testing.T) {
	x := NewExchange[body]()
	changed := []int32{3, 500, 999}
	var m mirror
	update := func() {
		x.Next().Update(1000, changed, func(i int, to *body) { to[0]++ })
		x.Publish()
		x.Acquire()
		m.look(x.Current())
	}
	for range 20 {
		update()
	}
	if n := testing.AllocsPerRun(100, update); n != 0 {
		t.Errorf("%v allocations an update and look", n)
	}
}

// An Update that is never published has no effect on a slot that is later filled
// without Update.
func TestASlotThatIsFilledByHandAfterAnUpdateThatWasGivenUpIsAllNew(t *testing.T) {
	x := NewExchange[int]()
	for range 2 {
		x.Next().Update(2, nil, func(i int, to *int) { *to = i })
		x.Publish()
	}
	before := x.w.serial
	x.Next().Update(2, []int32{0}, func(i int, to *int) { *to = i })
	x.Next().States = []int{7, 8}
	x.Publish()
	x.Acquire()
	if got := slices.Collect(x.Current().Changes.Since(before)); len(got) != 2 {
		t.Errorf("of two states these have changed: %v", got)
	}
}
