package netplay

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"time"

	"halfstep/engine"
	"halfstep/internal/exports"
	"halfstep/internal/history"
	"halfstep/internal/monotime"
	"halfstep/internal/privateapi"
	"halfstep/world"
)

var (
	private   = privateapi.World
	keptOf    = exports.Kept.(func(*engine.Engine) *history.Kept)
	beginWith = exports.BeginWith.(func(*engine.HistoryOptions, *history.Kept))
)

// witness is a controller of a session's world. On the physics goroutine it stores the hash of each
// tick, and makes snapshots and lists of bodies for the session. When a tick runs again, witness
// replaces what it has stored for that tick. The session sends its requests with Engine.Inspect, so
// they come after earlier rollbacks. Only the physics goroutine uses the fields, unless their
// comments say that the session reads them.
type witness struct {
	hashes [kept]uint64 // the hashes of all ticks, including ticks that may run again, by tick modulo kept

	// finalHashes has the hashes of the ticks before final, by tick modulo kept. The session reads
	// final and then finalHashes; physics stores final after finalHashes.
	finalHashes [kept]uint64
	final       atomic.Uint64

	settled chan uint64        // has an element for each request of ask: all ticks before it are final
	settle  func(*world.World) // the method answer as a func, made once so that a frame allocates nothing

	save   uint64 // 1 + the tick of which a snapshot is requested; 0 if none is
	engine *engine.Engine
	saved  *guestSnapshot      // the requested snapshot, until its tick is final
	packed chan *guestSnapshot // passes the compressed snapshot to the session

	// The bodies of the ticks from list to listEnd - 1 are requested. All lists together have
	// listedAll bodies.
	list, listEnd uint64
	lists         map[uint64][]seen
	listedAll     int

	began time.Time
	took  atomic.Int64 // the time that all rollbacks have taken, in ns; the session reads it
}

func newWitness() *witness {
	t := &witness{settled: make(chan uint64, 64), packed: make(chan *guestSnapshot, 1)}
	t.settle = t.answer
	return t
}

// guestSnapshot is a snapshot for guests, or the error because of which there is none.
type guestSnapshot struct {
	tick   uint64
	state  history.Saved
	packed []byte // the compressed bytes that guests get
	err    error
}

// seen is a body with the values that the programs compare.
type seen struct {
	body   world.Body
	name   string
	values [len(valueNames)]float64
}

var valueNames = [...]string{"x", "y", "angle", "velocity x", "velocity y", "angular velocity", "being awake"}

// BeforeStep implements world.Controller.
func (t *witness) BeforeStep(w *world.World, _ float64) {
	tick := private.TickOf(w)
	t.hashes[tick%kept] = w.StateHash()
	if t.save == tick+1 {
		t.saved = &guestSnapshot{tick: tick, state: history.Saved{Snapshot: new(world.Snapshot), Kept: keptOf(t.engine)}}
		t.saved.err = private.Snapshot(w, t.saved.state.Snapshot)
	}
	if tick < t.listEnd && tick >= t.list {
		t.listBodies(w, tick)
	}
}

// listBodies stores the list of the bodies of a tick, unless all lists together would have too many
// bodies.
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

// ask requests that physics copies the hashes of all ticks before the tick given as before, which
// are final, to finalHashes. It reports whether there was room for the request.
func (t *witness) ask(before uint64, e *engine.Engine) bool {
	select {
	case t.settled <- before:
		e.Inspect(t.settle)
		return true
	default:
		return false
	}
}

// answer carries out the oldest request of ask.
func (t *witness) answer(*world.World) {
	before := <-t.settled
	for tick := t.final.Load(); tick < before; tick++ {
		t.finalHashes[tick%kept] = t.hashes[tick%kept]
	}
	t.final.Store(before)
	if t.save > 0 && t.save <= before {
		t.save = 0 // no second snapshot if Testing.SyncTest runs the tick again
		go t.saved.pack(t.packed)
	}
}

// snapshot requests a snapshot of a later tick. Physics sends the snapshot on the channel packed
// once the tick is final.
func (t *witness) snapshot(tick uint64, e *engine.Engine) {
	e.Inspect(func(*world.World) { t.save, t.engine = tick+1, e })
}

// bodiesOf makes a rollback that lists the bodies of each tick from the parameter from to the
// parameter to, both included. The lists come on the returned channel. A tick that is too old for a
// rollback has no list.
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

// The methods before and after are called before and after a rollback, and measure its time.
func (t *witness) before(*world.World) { t.began = monotime.Now() }
func (t *witness) after(*world.World)  { t.took.Add(int64(monotime.Since(t.began))) }

const (
	mostBodies = 100_000                           // the greatest number of bodies that are compared
	mostListed = mostBodies*8*len(valueNames) + 10 // the greatest size of their list, in bytes
)

// packBodies encodes a list of bodies without handles and names.
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

// compareBodies sets the fields of a Desync about bodies from the first value that differs between
// list and the other program's list, which packBodies has encoded.
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
