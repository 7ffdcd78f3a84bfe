package engine_test

import (
	"fmt"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// A program asks the world for the forces on a joint. The answer comes among the events,
// with its tick.
func Example_jointForce() {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	hook := e.CreateBody(world.BodyDef{Name: "hook", Position: world.Vec{Y: 3}})
	load := e.CreateBody(world.BodyDef{Name: "load", Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	rope := e.CreateJoint(world.JointDef{Name: "rope", Kind: world.RopeJoint, A: hook, B: load, MaxLength: 3, BreakForce: 25})
	for frame := range 60 {
		switch frame {
		case 30:
			world.Ask(e.Commands, func(w *world.World) world.JointInfo {
				info, _ := w.Joint(rope)
				return info
			}, func(tick uint64, info world.JointInfo) {
				fmt.Printf("tick %d: the rope is %.2f m long and pulls with %.1f N\n", tick, info.Length, info.Force.Y)
			})
		case 45:
			e.Force(load, world.Vec{Y: -20})
		}
		e.Advance(time.Second / 50)
		for ev := range e.Events() {
			if ev.Kind == world.JointBroke {
				fmt.Println(ev)
			}
		}
	}
	// Output:
	// tick 36: the rope is 3.00 m long and pulls with 10.0 N
	// tick 55: the joint "rope" between "hook" and "load" broke at 30 N
}
