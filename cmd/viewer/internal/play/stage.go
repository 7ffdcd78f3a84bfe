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

// Stage has the list of scenes, the open scene, and the players that run it. There is one player, or two
// in a comparison.
type Stage struct {
	Side             // the undivided picture, or its left half; the Settings are the user's
	Right *RightHalf // nil without a comparison
	openScene

	host    Host
	Options *Options
	Scenes  []SceneEntry
	Current int           // Current is the index of the open scene.
	Debug   body2d.Layers // Debug is the debug data that engines add to their states.

	Quitting bool  // Quitting says that the user ends the run.
	CloseErr error // CloseErr is why a player did not close in time. Open shows the user this error and clears it.
	Owner    Ownership

	Stdout, Stderr io.Writer
}

// openScene is the stage's data about the open scene. It is replaced when another scene is opened.
type openScene struct {
	SceneConfig engine.Config // SceneConfig is the scene's own configuration, with the defaults of its world filled in.
	World       world.Config  // World is SceneConfig.World with the user's changes.
	Shown       Shown
	Done        *atomic.Uint64 // Done is the last tick that physics has done.
	Steps       *figures.Times // Steps are the durations of all steps. Physics adds to them until the engine is closed.
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

// eachSide calls f with both halves of a comparison. If nothing is compared, it calls f once.
func (g *Stage) eachSide(f func(*Side)) {
	f(&g.Side)
	if g.Right != nil {
		f(&g.Right.Side)
	}
}

// EachPlayer calls f with the player of each side.
func (g *Stage) EachPlayer(f func(*Player)) { g.eachSide(func(o *Side) { f(o.Player) }) }

// closePlayer closes a player. In a run that ends by itself it waits until all demanded steps are done. If
// the user opens another scene, it waits for at most CloseTime. If the user quits, it waits for at most
// QuitTime.
func (g *Stage) closePlayer(p *Player) error {
	defer g.host.Closing(p)() // Closing is called now, and the function that it returns is called at the end
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

// Stepper returns the stepper of the open scene. This is the chosen stepper if it can run the
// scene, and otherwise the scene's own stepper.
func (g *Stage) Stepper() world.Stepper {
	if stepper := g.Settings.StepperOf(&g.SceneConfig); canStep(&g.SceneConfig, stepper) {
		return stepper
	}
	return g.SceneConfig.World.Stepper
}
