package engine

import (
	"cmp"
	"errors"

	"halfstep/buffer"
	"halfstep/internal/history"
	"halfstep/world"
)

// PlayerOptions configure a Player. The zero PlayerOptions are valid.
type PlayerOptions struct {
	// Memory is the number of bytes for keyframes. 0 means 64 MiB. With a negative number there are no
	// keyframes, and the player only goes forward.
	Memory int64
}

// Player plays a recording without an engine, forward and backward. For a picture, make an engine
// with Recording.Config, and call History.Seek.
//
// On its way forward a player stores keyframes. These are snapshots of the world, at such ticks
// that the steps between two of them always take about the same time. To go to a tick, the player
// restores the nearest keyframe before the tick and steps from there. Beyond the ticks that it has
// reached there are no keyframes.
//
// A Player belongs to one goroutine.
type Player struct {
	recording *Recording
	world     *world.Simulation
	player    *history.Player // plays the recording in the field world
	err       error           // the first error; after it the player cannot be used any more
}

// Player returns a player at the recording's first tick. setup must build the scene as it was
// built for the recording; if the recording begins with a snapshot, only the controllers, hooks
// and registered functions of setup count, and the snapshot replaces the rest.
func (r *Recording) Player(setup func(*world.World) error, o PlayerOptions) (*Player, error) {
	if r.file == nil {
		return nil, errNoRecording
	}
	w, err := buildWorld(r.Config(setup))
	if err != nil {
		return nil, err
	}
	past, err := history.New(w, history.Options{Rate: r.Rate})
	if err != nil {
		w.Close()
		return nil, err
	}
	player, err := history.Play(past, r.options(o.Memory))
	if err != nil {
		w.Close()
		return nil, err
	}
	player.Start(nil) // nil: there is no picture, and no code reads events
	return &Player{recording: r, world: w, player: player}, nil
}

// Recording returns the recording that the player plays, from tick First to tick Ticks.
func (p *Player) Recording() *Recording { return p.recording }

// Tick returns the number of steps done.
func (p *Player) Tick() uint64 { return p.player.Tick() }

// World returns the world at Tick, after its step and before the commands that follow. The caller
// must only read the world: after a change the player returns a Mismatch.
func (p *Player) World() *world.World { return p.world.World() }

// Seek goes to a tick. A tick outside the recording is an error and changes nothing. The error is
// a *Mismatch if a tick differs from the recording, and a *buffer.Failure if a function that the
// recording calls panics. After either of these errors the player cannot be used any more.
func (p *Player) Seek(tick uint64) error {
	if err := p.recording.file.Has(tick); err != nil {
		return err
	}
	return p.guard(func() error { return p.player.GoTo(tick) })
}

// Step goes n ticks forward, or backward if n is negative, but not beyond the ends of the
// recording. It returns the same errors as Seek.
func (p *Player) Step(n int) error {
	to, r := p.Tick(), p.recording
	if n < 0 {
		to -= min(uint64(-n), to-r.First)
	} else {
		to += min(uint64(n), r.Ticks-to)
	}
	return p.Seek(to)
}

// Close ends the goroutines that help with steps and keyframes. After that Seek and Step return an
// error.
func (p *Player) Close() {
	p.err = cmp.Or(p.err, errPlayerClosed)
	p.world.Close()
	p.player.Close()
}

var errPlayerClosed = errors.New("replay: the player is closed")

// guard turns a panic of f, and the end of its goroutine, into an error. After an error, all later
// calls return the same error. The exception is ErrNoWayBack, after which the player can still go
// forward.
func (p *Player) guard(f func() error) (err error) {
	if p.err != nil {
		return p.err
	}
	finished := false
	defer func() {
		if f := buffer.NewFailure(p.Tick(), recover(), finished); f != nil {
			err = f
		}
		if !errors.Is(err, history.ErrNoWayBack) {
			p.err = err
		}
	}()
	err = f()
	finished = true
	return err
}
