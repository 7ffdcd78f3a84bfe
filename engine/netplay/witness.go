package netplay

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"time"

	"halfstep/internal/bridge"
	"halfstep/internal/monotime"
	"halfstep/world"
)

var inside = world.Inside(bridge.Key{})

// witness notes on the physics goroutine what becomes of each tick. A tick that runs
// again replaces what was noted. The session asks for it with a command, which comes after
// the rollbacks given before.
type witness struct {
	hashes [kept]uint64 // physics'

	told  [kept]uint64  // of final ticks
	final atomic.Uint64 // ticks before it are told; follows the writes to told

	// A tick, and 1, of which to take a snapshot or to list the bodies.
	save, list atomic.Uint64
	saved      *world.Snapshot // follows final
	err        error           // of that
	bodies     []seen
	listed     atomic.Bool // follows bodies

	began time.Duration
	took  atomic.Int64 // ns, for rollbacks
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
		t.saved = new(world.Snapshot)
		t.err = w.Snapshot(t.saved)
	}
	if t.list.Load() == tick+1 {
		t.bodies = t.bodies[:0]
		for b := range w.Bodies() {
			info, err := w.Body(b)
			if err != nil {
				continue
			}
			awake := 0.
			if info.Awake {
				awake = 1
			}
			t.bodies = append(t.bodies, seen{b, info.Name, [...]float64{
				info.Position.X, info.Position.Y, info.Angle, info.Velocity.X, info.Velocity.Y, info.AngularVelocity, awake,
			}})
		}
	}
}

// tell hands over the hashes of final ticks.
func (t *witness) tell(from, to uint64) {
	for ; from < to; from++ {
		t.told[from%kept] = t.hashes[from%kept]
	}
	t.final.Store(to)
}

var began = monotime.Now()

// before and after surround a rollback.
func (t *witness) before(*world.World) { t.began = monotime.Since(began) }
func (t *witness) after(*world.World)  { t.took.Add(int64(monotime.Since(began) - t.began)) }

const mostBodies = 100_000 // that are compared

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
	if n == 0 || len(list) == 0 { // the tick was too old for one of them
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
