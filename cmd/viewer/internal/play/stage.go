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

// Stage has the list of scenes, the open one, and the players that run it: one, or two in a comparison.
type Stage struct {
	Side             // the whole picture, or its left half; Settings are the user's
	Right *RightHalf // nil without a comparison
	openScene

	host    Host
	Options *Options
	Scenes  []SceneEntry
	Current int           // index of the open scene
	Debug   body2d.Layers // the debug data that engines add to their states

	Quitting bool  // the user ends the run
	CloseErr error // why a player did not close in time; Open shows the user and clears it
	Owner    Ownership

	Stdout, Stderr io.Writer
}

// openScene is the stage's data about the open scene. It is replaced when another scene is opened.
type openScene struct {
	SceneConfig engine.Config // the scene's own, with the defaults of its world filled in
	World       world.Config  // SceneConfig.World with the user's changes
	Shown       Shown
	Done        *atomic.Uint64 // the last tick that physics has done
	Steps       *figures.Times // the durations of all steps; physics adds to them until the engine is closed
}

// Scene returns the open scene.
func (g *Stage) Scene() *SceneEntry { return &g.Scenes[g.Current] }

// Present returns the player of the present, even while the past is shown.
func (g *Stage) Present() *Player {
	if g.Shown.What == ShowsPast {
		return g.Shown.present
	}
	return g.Player
}

// SetDebug asks physics for the debug data of the layers.
func (g *Stage) SetDebug(d body2d.Layers) {
	g.Debug = d
	g.EachPlayer(func(p *Player) { p.SetDebugLayers(d) })
}

// eachSide calls f with the one side of the picture, or with both halves of a comparison.
func (g *Stage) eachSide(f func(*Side)) {
	f(&g.Side)
	if g.Right != nil {
		f(&g.Right.Side)
	}
}

// EachPlayer calls f with the player of each side.
func (g *Stage) EachPlayer(f func(*Player)) { g.eachSide(func(o *Side) { f(o.Player) }) }

// closePlayer closes a player. In a run that ends by itself it waits until all demanded steps are done. If
// the user opens another scene, it waits at most CloseTime, and if he quits at most QuitTime.
func (g *Stage) closePlayer(p *Player) error {
	defer g.host.Closing(p)() // Closing is called now, and the function that it returns at the end
	g.Owner.physicsMayBlock()
	defer g.Owner.physicsReturned()
	quits := g.Quitting || g.Options.AskedToEnd()
	if !quits && g.Options.Limited {
		return p.Close()
	}
	limit := CloseTime
	if quits {
		limit = QuitTime
	}
	if g.CloseErr != nil {
		limit = 0 // another player has used up the time
	}
	err := p.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		g.CloseErr = err
	}
	return err
}

// Under returns the side under the cursor.
func (g *Stage) Under() *Side {
	if g.CursorOnRight() {
		return &g.Right.Side
	}
	return &g.Side
}

// CursorOnRight reports whether the cursor is in the right half of a comparison.
func (g *Stage) CursorOnRight() bool { return g.Right != nil && g.Right.UnderCursor }

// Stepper returns the stepper of the open scene: the chosen one, if it can run the scene, or else
// the scene's own.
func (g *Stage) Stepper() world.Stepper {
	if stepper := g.Settings.StepperOf(&g.SceneConfig); canStep(&g.SceneConfig, stepper) {
		return stepper
	}
	return g.SceneConfig.World.Stepper
}
