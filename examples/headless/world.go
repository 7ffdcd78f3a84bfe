package main

import (
	"fmt"
	"io"

	"halfstep/engine"
	"halfstep/world"
)

func setup(w *world.World) error {
	ground := world.BodyDef{
		Name: "ground", Position: world.Vec{Y: -1},
		Shapes: []world.ShapeDef{world.Box(50, 1)},
	}
	if _, err := w.CreateBody(ground); err != nil {
		return err
	}
	for i := range 10 {
		if _, err := w.CreateBody(box(.2*float64(i%3), 1+1.5*float64(i))); err != nil {
			return err
		}
	}
	return nil
}

func box(x, y float64) world.BodyDef {
	return world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Shapes: []world.ShapeDef{world.Box(.5, .5)},
	}
}

type server struct {
	engine  *engine.Engine
	out     io.Writer
	every   uint64 // ticks
	printed uint64 // tick
	hits    int
	hardest float64 // N·s
}

// report reads the events of the frame. If a line is due, it prints the line.
func (s *server) report() {
	for ev := range s.engine.Events() {
		switch ev.Kind {
		case world.ContactHit:
			s.hits++
			s.hardest = max(s.hardest, ev.Impulse)
		case world.CommandRejected:
			fmt.Fprintf(s.out, "tick %d: rejected: %v\n", ev.Tick, ev.Err)
		}
	}
	v := s.engine.View()
	if s.every == 0 || v.Tick < s.printed+s.every {
		return
	}
	s.printed = v.Tick
	fmt.Fprintf(s.out, "tick %5d  bodies %3d  awake %3d  contacts %3d  hits %3d  hardest %5.2f N·s\n",
		v.Tick, v.Counts.Bodies, v.Counts.Awake, v.Counts.Contacts, s.hits, s.hardest)
	s.hits, s.hardest = 0, 0
}

// end prints the hash of the world. Runs with the same bits have the same
// hash.
func (s *server) end() error {
	e := s.engine
	world.Ask(e.Commands, (*world.World).Hash, func(tick, hash uint64) {
		fmt.Fprintf(s.out, "tick %d hash %016x\n", tick, hash)
	})
	e.Step(0) // the answer to the question needs no further step
	s.report()
	if err := e.Failure(); err != nil {
		return err
	}
	return e.Close()
}
