// Nbody runs its own simulation in the engine's loops, without Box2D: bodies
// that attract each other and tumble in three dimensions. It shows what a
// simulation without Box2D needs:
//
//	sim.go    the simulation: a physicsloop.Simulation with its own types of
//	          state, event and command
//	run.go    the engine that runs it, and its printed lines
//	blend.go  the state between two ticks: positions by linear interpolation,
//	          orientations by slerp
//	draw.go   the picture, with OpenGL
//
// With a display it draws. Without one, or with -print, it prints. The left and
// right arrows push the star, space pauses, escape quits.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

type options struct {
	bodies     int
	ticks      uint64
	frames     int
	screenshot string
	print      bool
}

func main() {
	var o options
	flag.IntVar(&o.bodies, "bodies", 60, "number of bodies, the star included")
	flag.Uint64Var(&o.ticks, "ticks", 1200, "steps to print")
	flag.IntVar(&o.frames, "frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&o.screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.BoolVar(&o.print, "print", false, "print, even where there is a display")
	flag.Parse()
	if flag.NArg() > 0 || o.frames < 0 || o.bodies < 1 || o.bodies > 1000 {
		fmt.Fprintln(os.Stderr, "nbody: bad usage (1 to 1000 bodies); see -help")
		os.Exit(2)
	}
	var err error
	if o.print || o.frames == 0 && !canDraw() {
		err = print(os.Stdout, o)
	} else {
		err = draw(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nbody:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}
