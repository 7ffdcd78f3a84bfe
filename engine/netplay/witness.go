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

// witness is a controller of a session's world. On the physics goroutine it records the hash of
// each tick, and takes snapshots and lists of bodies for the session. When a tick runs again, its
// records are replaced. The session asks with Engine.Inspect, whose function runs after earlier
// rollbacks. Fields without a comment are only for the physics goroutine.
type witness struct {
	hashes [kept]uint64 // by tick modulo kept; includes ticks that may run again

	// finalHashes has the hashes of the ticks before final, which the session reads. final is stored after
	// finalHashes.
	finalHashes [kept]uint64
	final       atomic.Uint64

	settled chan uint64        // an element for each command settle: the ticks before it are final
	settle  func(*world.World) // the method value of answer, made once because every frame uses it

	save   uint64 // 1 + the tick of which a snapshot is wanted; or 0
	engine *engine.Engine
	saved  *guestSnapshot      // that snapshot, until its tick is final
	packed chan *guestSnapshot // passes it to the session

	// The bodies of the ticks from list to before listEnd are wanted. The lists have listedAll bodies
	// in all.
	list, listEnd uint64
	lists         map[uint64][]seen
	listedAll     int

	began time.Time
	took  atomic.Int64 // time that rollbacks have taken, ns; the session reads it
}

func newWitness() *witness {
	t := &witness{settled: make(chan uint64, 64), packed: make(chan *guestSnapshot, 1)}
	t.settle = t.answer
	return t
}

// guestSnapshot is a snapshot for guests, or the error that prevented it.
type guestSnapshot struct {
	tick   uint64
	state  history.Saved
	packed []byte // as it is sent
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

// listBodies lists the bodies of a tick, unless the lists have too many bodies already.
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

// ask makes answer copy the hashes of the ticks before a tick, which are final. It reports
// whether there was room for the request.
func (t *witness) ask(before uint64, e *engine.Engine) bool {
	select {
	case t.settled <- before:
		e.Inspect(t.settle)
		return true
	default:
		return false
	}
}

// answer answers the oldest request of ask.
func (t *witness) answer(*world.World) {
	before := <-t.settled
	for tick := t.final.Load(); tick < before; tick++ {
		t.finalHashes[tick%kept] = t.hashes[tick%kept]
	}
	t.final.Store(before)
	if t.save > 0 && t.save <= before {
		t.save = 0 // Testing.SyncTest may run the tick once more
		go t.saved.pack(t.packed)
	}
}

// snapshot requests a snapshot of a later tick. The snapshot is sent to the channel packed once the
// tick is final.
func (t *witness) snapshot(tick uint64, e *engine.Engine) {
	e.Inspect(func(*world.World) { t.save, t.engine = tick+1, e })
}

// bodiesOf goes back and lists the bodies of each tick of the range, including both ends. A tick
// that is too old for a rollback has no list.
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

// The functions before and after run before and after a rollback, and measure its time.
func (t *witness) before(*world.World) { t.began = monotime.Now() }
func (t *witness) after(*world.World)  { t.took.Add(int64(monotime.Since(t.began))) }

const (
	mostBodies = 100_000                           // how many are compared
	mostListed = mostBodies*8*len(valueNames) + 10 // bytes of their list
)

// packBodies writes a list of bodies as bytes, without handles and names.
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

// compareBodies completes a Desync. It finds the first value of list that differs from the other
// program's list, which is in the form of packBodies.
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
