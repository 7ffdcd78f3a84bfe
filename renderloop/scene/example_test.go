package scene_test

import (
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// The example shows a body between two ticks.
func ExampleBlend() {
	alive := uint32(body2d.Alive)
	before := body2d.State{X: 1, Y: 4, Bits: alive}
	after := body2d.State{X: 2, Y: 4, Bits: alive}
	p := scene.Blend(&before, &after, .25, 1./60, body2d.Interpolate, false)
	fmt.Printf("x = %.2f m, y = %.2f m\n", p.X, p.Y)
	// Output: x = 1.25 m, y = 4.00 m
}

// The example finds the point of the world under a pixel.
func ExampleCamera() {
	c := scene.Camera{X: 5, Y: 2, Height: 10}
	x, y := c.ScreenToWorld(400, 300, 800, 600)
	fmt.Printf("the middle of the window is (%.1f, %.1f) m\n", x, y)
	x, y = c.ScreenToWorld(0, 0, 800, 600)
	fmt.Printf("its top left corner is (%.1f, %.1f) m\n", x, y)
	// Output:
	// the middle of the window is (5.0, 2.0) m
	// its top left corner is (-1.7, 7.0) m
}
