package play

import (
	"errors"
	"io"
	"sync/atomic"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/engine"
	"halfstep/world"
)

// Stage has the list of scenes, the open one, and the engines that run it: one, or two in a comparison.
type Stage struct {
	Side             // the whole picture, or its left half
	Right *RightHalf // nil without a comparison
	openScene

	host    Host
	O       *Options
	Scenes  []SceneEntry
	Current int           // index of the open scene
	Debug   body2d.Layers // the debug data that engines add to their states

	Quitting bool  // the user ends the run
	CloseErr error // a player did not close in time
	Owner    Ownership

	Stdout, Stderr io.Writer
}

// openScene is what the stage knows of the open scene. It is replaced when another one is opened.
type openScene struct {
	Given engine.Config // the scene's own, with the defaults of its world filled in
	World world.Config  // given.World with what the user has changed
	Shown Shown
	Done  *atomic.Uint64 // the last tick that physics has done
	Steps *figures.Times // of all steps; physics adds to it until the engine is closed
}

// Scene returns the open scene.
func (g *Stage) Scene() *SceneEntry { return &g.Scenes[g.Current] }

// SetDebug asks physics for the debug data of the layers.
func (g *Stage) SetDebug(d body2d.Layers) {
	g.Debug = d
	g.Engines(func(p *Player) { p.SetDebugLayers(d) })
}

// each calls f with the one side of the picture, or with both halves of a comparison.
func (g *Stage) each(f func(*Side)) {
	f(&g.Side)
	if g.Right != nil {
		f(&g.Right.Side)
	}
}

// Engines calls f with the engine of each side.
func (g *Stage) Engines(f func(*Player)) { g.each(func(o *Side) { f(o.Player) }) }

// stopEngine closes an engine. In a run with an end it waits until all demanded
// steps are done. If the user opens another scene, it waits for them for at most CloseTime, and if he quits
// for at most QuitTime.
func (g *Stage) stopEngine(e *Player) error {
	defer g.host.Closing(e)()
	g.Owner.beginWait()
	defer g.Owner.endWait()
	quits := g.Quitting || g.O.Asked()
	if !quits && g.O.Limited {
		return e.Close()
	}
	limit := CloseTime
	if quits {
		limit = QuitTime
	}
	if g.CloseErr != nil {
		limit = 0 // another engine has used the time up
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		g.CloseErr = err
	}
	return err
}

// Under returns the side (the engine and its view) that the cursor is over.
func (g *Stage) Under() *Side {
	if g.OverRight() {
		return &g.Right.Side
	}
	return &g.Side
}

// OverRight reports whether the cursor is in the right half of a comparison.
func (g *Stage) OverRight() bool { return g.Right != nil && g.Right.UnderCursor }

// Stepper returns the stepper of the open scene: the one that the user has chosen, if
// it can step that (see canStep), or else the scene's own.
func (g *Stage) Stepper() world.Stepper {
	if stepper := g.Settings.StepperOf(&g.Given); canStep(&g.Given, stepper) {
		return stepper
	}
	return g.Given.World.Stepper
}
