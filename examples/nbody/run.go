package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"time"

	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
)

// world is a system with the goroutine that steps it and the render loop that
// asks for steps.
type world struct {
	link    *buffer.Link[state, event, command]
	render  *renderloop.Loop[state, event, command]
	physics *physicsloop.Loop[state, event, command]
	extents [][3]float32 // half the size of each body, m; they never change
}

func newWorld(s *system, c renderloop.Config) (*world, error) {
	w := &world{link: buffer.NewLink[state, event, command]()}
	for i := range s.bodies {
		e := s.bodies[i].extent
		w.extents = append(w.extents, [3]float32{float32(e[0]), float32(e[1]), float32(e[2])})
	}
	var err error
	if w.render, err = renderloop.New(w.link, c); err != nil {
		return nil, err
	}
	w.physics = physicsloop.Start(s, w.link, physicsloop.Options{})
	return w, nil
}

func (w *world) frame(d time.Duration) *scene.View[state] { return w.render.Frame(int64(d)) }

// order gives a command. It is carried out before the next step.
func (w *world) order(c command) { w.render.Send(buffer.Scheduled[command]{Command: c}) }

func (w *world) failure() error {
	if f := w.link.Failure(); f != nil {
		return f
	}
	return nil
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

// print runs as fast as it can, and prints energy and momentum, which should
// stay the same.
func print(out io.Writer, o options) error {
	w, err := newWorld(newSystem(o.bodies), renderloop.Config{Simulated: true, Sync: renderloop.Lockstep})
	if err != nil {
		return err
	}
	defer w.physics.Close()
	w.render.DeliverAtOnce(true)
	w.render.Clock().SetLast(o.ticks)
	first := event{}
	for begun := false; ; begun = true {
		v := w.render.View()
		last := v.Tick >= o.ticks
		if !begun || v.Tick%300 == 0 || last {
			w.order(command{report: true})
		}
		w.frame(time.Second/60 + 1) // one step
		if err := w.failure(); err != nil {
			return err
		}
		var e event
		for w.render.NextEvent(&e) {
			if e.tick == 0 {
				first = e
			}
			fmt.Fprintf(out, "tick %5d  energy %10.4f J (%+.1e)  momentum %6.3f kg·m/s  rotation %7.4f J (%+.1e)\n",
				e.tick, e.energy, e.energy/first.energy-1, e.momentum, e.spin, e.spin/first.spin-1)
		}
		if last {
			fmt.Fprintf(out, "tick %d hash %016x\n", v.Tick, hash(v.Cur))
			return nil
		}
	}
}
