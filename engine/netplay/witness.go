package netplay

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"time"

	"halfstep/engine"
	"halfstep/internal/monotime"
	"halfstep/internal/within"
	"halfstep/world"
)

var inside = within.World

// witness notes on the physics goroutine what becomes of each tick. A tick that runs
// again replaces what was noted. The session asks for it with a command, which comes after
// the rollbacks given before.
type witness struct {
	hashes [kept]uint64 // physics'

	told  [kept]uint64  // of final ticks
	final atomic.Uint64 // ticks before it are told; follows the writes to told

	// What was asked for and not answered yet: to tell the hashes of the ticks before one.
	asks     [64]uint64
	asked    uint64 // so often, by the session
	answered atomic.Uint64
	answer   func(*world.World) // tell, as a command takes it

	save  atomic.Uint64 // a tick, and 1, of which to take a snapshot
	saved *taken        // physics', until its tick is final
	taken atomic.Pointer[taken]

	// All physics': the ticks of which to list the bodies, from the first to before the
	// last; the lists, and how many bodies they have.
	list, listEnd uint64
	lists         map[uint64][]seen
	listedAll     int

	began time.Time
	took  atomic.Int64 // ns, for rollbacks
}

// taken is a snapshot for guests, or why there is none.
type taken struct {
	tick     uint64
	snapshot world.Snapshot
	packed   []byte
	err      error
}

// seen is what is compared of a body.
type seen struct {
	body   world.Body
	name   string
	values [len(valueNames)]float64
}

var valueNames = [...]string{"x", "y", "angle", "velocity x", "velocity y", "angular velocity", "being awake"}

// BeforeStep is of world.Controller.
func (t *witness) BeforeStep(w *world.World, _ float64) {
	tick := inside.TickOf(w)
	t.hashes[tick%kept] = w.StateHash()
	if t.save.Load() == tick+1 {
		t.saved = &taken{tick: tick}
		t.saved.err = inside.Snapshot(w, &t.saved.snapshot)
	}
	if tick < t.listEnd && tick >= t.list {
		t.listBodies(w, tick)
	}
}

// listBodies lists the bodies of a tick, unless there are too many with those of others.
func (t *witness) listBodies(w *world.World, tick uint64) {
	if t.listedAll > 4*mostBodies {
		return
	}
	list := []seen{}
	for b := range w.Bodies() {
		info, err := w.Body(b)
		if err != nil {
			continue
		}
		awake := 0.
		if info.Awake {
			awake = 1
		}
		list = append(list, seen{b, info.Name, [...]float64{
			info.Position.X, info.Position.Y, info.Angle, info.Velocity.X, info.Velocity.Y, info.AngularVelocity, awake,
		}})
	}
	t.lists[tick] = list
	t.listedAll += len(list)
}

func newWitness() *witness {
	t := new(witness)
	t.answer = t.tell
	return t
}

// ask asks for the hashes of final ticks, and reports whether there is room to.
func (t *witness) ask(before uint64, e *engine.Engine) bool {
	if t.asked-t.answered.Load() == uint64(len(t.asks)) {
		return false
	}
	t.asks[t.asked%uint64(len(t.asks))] = before
	t.asked++
	e.Inspect(t.answer)
	return true
}

// tell answers what was asked first.
func (t *witness) tell(*world.World) {
	n := t.answered.Load()
	before := t.asks[n%uint64(len(t.asks))]
	for tick := t.final.Load(); tick < before; tick++ {
		t.told[tick%kept] = t.hashes[tick%kept]
	}
	t.final.Store(before)
	t.answered.Store(n + 1)
	if save := t.save.Load(); save > 0 && save <= before {
		t.save.Store(0) // a sync test may come back to the tick
		t.taken.Store(t.saved)
	}
}

// bodiesOf goes back to a tick and lists the bodies of that and of the following ones, up
// to another. Ticks that are too old have no list.
func (t *witness) bodiesOf(from, to uint64, e *engine.Engine) chan map[uint64][]seen {
	found, first := make(chan map[uint64][]seen, 1), from
	e.Inspect(func(*world.World) {
		t.lists, t.listedAll = map[uint64][]seen{}, 0
		t.list, t.listEnd = first, to+1
	})
	for ; from <= to; from++ {
		if err := e.History().Rollback(from, nil); err == nil {
			break
		}
	}
	e.Inspect(func(*world.World) {
		t.listEnd = 0
		found <- t.lists
		t.lists = nil
	})
	return found
}

// before and after surround a rollback.
func (t *witness) before(*world.World) { t.began = monotime.Now() }
func (t *witness) after(*world.World)  { t.took.Add(int64(monotime.Since(t.began))) }

const (
	mostBodies = 100_000                           // that are compared
	mostListed = mostBodies*8*len(valueNames) + 10 // bytes of their list
)

// packBodies makes bytes of what is compared.
func packBodies(list []seen) (b []byte) {
	list = list[:min(len(list), mostBodies)]
	b = binary.AppendUvarint(nil, uint64(len(list)))
	for i := range list {
		for _, x := range list[i].values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// compareBodies completes a Desync with the first value that differs from those that
// have come.
func compareBodies(d *Desync, list []seen, theirs []byte) {
	r := reader{b: theirs}
	n := r.limited(mostBodies)
	switch {
	case len(list) == 0:
		d.Unknown = "the tick is too far back to look at here"
	case theirs == nil:
		d.Unknown = "the other program's list of bodies has not come in time"
	case n == 0:
		d.Unknown = "the tick is too far back for the other program to look at"
	}
	if d.Unknown != "" {
		return
	}
	for i := range list[:min(n, uint64(len(list)))] {
		for k, here := range list[i].values {
			if bits := r.word(); !r.bad && bits != math.Float64bits(here) && d.Value == "" {
				d.Body, d.Name, d.Value, d.Here, d.There = list[i].body, list[i].name, valueNames[k], here, math.Float64frombits(bits)
			}
		}
	}
	if d.Value == "" && !r.bad && n != uint64(len(list)) {
		d.Value, d.Here, d.There = "the number of bodies", float64(len(list)), float64(n)
	}
}
