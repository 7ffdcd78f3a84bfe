package main

import (
	"errors"
	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/engine"
	"halfstep/world"
	"io"
	"sync/atomic"
)

// stage has the list of scenes, the open one, and the engines that run it: one, or two in a comparison.
type stage struct {
	side             // the whole picture, or its left half
	right *rightHalf // nil without a comparison
	openScene

	host    host
	o       *playOptions
	scenes  []sceneEntry
	current int                // index of the open scene
	debug   body2d.DebugLayers // the debug data that engines add to their states

	quitting bool  // the user ends the run
	closeErr error // a player did not close in time
	owner    ownership

	stdout, stderr io.Writer
}

// openScene is what the stage knows of the open scene. It is replaced when another one is opened.
type openScene struct {
	given engine.Config // the scene's own, with the defaults of its world filled in
	world world.Config  // given.World with what the user has changed
	shown shown
	done  *atomic.Uint64 // the last tick that physics has done
	steps *figures.Times // of all steps; physics adds to it until the engine is closed
}

// scene returns the open scene.
func (g *stage) scene() *sceneEntry { return &g.scenes[g.current] }

// setDebug asks physics for the debug data of the layers.
func (g *stage) setDebug(d body2d.DebugLayers) {
	g.debug = d
	g.engines(func(p *player) { p.SetDebugLayers(d) })
}

// each calls f with the one side of the picture, or with both halves of a comparison.
func (g *stage) each(f func(*side)) {
	f(&g.side)
	if g.right != nil {
		f(&g.right.side)
	}
}

// engines calls f with the engine of each side.
func (g *stage) engines(f func(*player)) { g.each(func(o *side) { f(o.player) }) }

// stopEngine closes an engine. In a run with an end it waits until all demanded
// steps are done. If the user quits or opens another scene, it waits for them for
// at most closeTime.
func (g *stage) stopEngine(e *player) error {
	defer g.host.closing(e)()
	g.owner.beginWait()
	defer g.owner.endWait()
	if !g.quitting && g.o.Limited {
		return e.Close()
	}
	limit := closeTime
	if g.closeErr != nil {
		limit = 0 // another engine has used the time up
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		g.closeErr = err
	}
	return err
}

// letGo ends the joints by which the user drags a body.
func (g *stage) letGo() { g.each(func(o *side) { o.drag.release(o.player) }) }

// under returns the side (the engine and its view) that the cursor is over.
func (g *stage) under() *side {
	if g.overRight() {
		return &g.right.side
	}
	return &g.side
}

// overRight reports whether the cursor is in the right half of a comparison.
func (g *stage) overRight() bool { return g.right != nil && g.right.underCursor }

// stepper returns the stepper of the open scene: the one that the user has chosen, if
// it can step that (see canStep), or else the scene's own.
func (g *stage) stepper() world.Stepper {
	if stepper := g.settings.stepperOf(&g.given); canStep(&g.given, stepper) {
		return stepper
	}
	return g.given.World.Stepper
}
