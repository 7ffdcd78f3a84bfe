package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"

	"halfstep/engine/core"
)

// world is a running simulation, and the data for its picture that do not change.
type world struct {
	*core.Engine[state, event, command]
	extents [][3]float32 // half the size of each body, m; the extents never change
}

func newWorld(s *system, c core.Config) (*world, error) {
	w := &world{}
	for i := range s.bodies {
		e := s.bodies[i].extent
		w.extents = append(w.extents, [3]float32{float32(e[0]), float32(e[1]), float32(e[2])})
	}
	var err error
	w.Engine, err = core.New(s, c)
	return w, err
}

// hash is the same for two runs whose states have the same bits.
func hash(states []state) uint64 {
	h := fnv.New64a()
	for i := range states {
		for _, x := range append(states[i].place[:], states[i].facing[:]...) {
			bits := math.Float32bits(x)
			h.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
		}
	}
	return h.Sum64()
}

// print runs the simulation as fast as it can. It prints energy and momentum, which
// should not change.
func print(out io.Writer, o options) error {
	w, err := newWorld(newSystem(o.bodies), core.Config{EventsAtOnce: true})
	if err != nil {
		return err
	}
	defer w.Close()
	first := event{}
	for tick := uint64(0); ; {
		w.Send(command{report: true})
		n := min(300, o.ticks-tick)
		v := w.Step(int(n))
		if err := w.Failure(); err != nil {
			return err
		}
		for e := range w.Events() {
			if e.tick == 0 {
				first = e
			}
			fmt.Fprintf(out, "tick %5d  energy %10.4f J (%+.1e)  momentum %6.3f kg·m/s  rotation %7.4f J (%+.1e)\n",
				e.tick, e.energy, e.energy/first.energy-1, e.momentum, e.spin, e.spin/first.spin-1)
		}
		if n == 0 {
			fmt.Fprintf(out, "tick %d hash %016x\n", v.Tick, hash(v.Cur))
			return nil
		}
		tick += n
	}
}
