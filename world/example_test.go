package world_test

import (
	"fmt"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/world"
)

// The example steps a world without an engine.
func ExampleNewSimulation() {
	s := world.NewSimulation(world.Config{})
	defer s.Close()
	s.Start(&buffer.Outbox[world.Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event]()})
	ball, err := s.World().CreateBody(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, Position: world.Vec{Y: 10}, Shapes: []world.ShapeDef{world.Circle(.5)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for tick := uint64(1); tick <= 60; tick++ {
		s.Step(tick, 1./60)
	}
	b, _ := s.World().Body(ball)
	at := b.Position
	fmt.Printf("after a second the ball is at y = %.2f m\n", at.Y)
	// Output: after a second the ball is at y = 4.92 m
}

// CreateBody rejects an impossible definition with an error of one line, and changes
// nothing.
func ExampleBox() {
	s := world.NewSimulation(world.Config{})
	defer s.Close()
	_, err := s.World().CreateBody(world.BodyDef{
		Name: "slab", Shapes: []world.ShapeDef{world.Box(0, .5)},
	})
	fmt.Println(err)
	// Output: world: a box needs half sizes above 0, not 0 and 0.5 (shape 0 of "slab")
}
