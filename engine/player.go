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
	// Memory is the number of bytes for keyframes. 0 means 64 MiB. A negative number means no
	// keyframes; then the player only goes forward.
	Memory int64
}

// Player plays a recording without an engine, forward and backward. For a picture, make an engine
// with Recording.Config, and call History.Seek.
//
// While a player goes forward it stores keyframes, which are snapshots of the world. The steps from
// one keyframe to the next take about the same time everywhere. To go to a tick, the player
// restores the nearest keyframe before the tick and steps from there.
//
// A Player belongs to one goroutine.
type Player struct {
	recording *Recording
	world     *world.Simulation
	player    *history.Player // replays the recording in Player.world
	err       error           // the first error; not nil means that the player cannot be used any more
}

// Player returns a player at the recording's first tick. The function setup must build the same
// scene as for the recording. If the recording begins with a snapshot, the snapshot replaces
// everything that setup builds except controllers, hooks and registered functions.
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
	player.Start(nil) // nil, because there is no picture and no reader of events
	return &Player{recording: r, world: w, player: player}, nil
}

// Recording returns the recording that the player replays.
func (p *Player) Recording() *Recording { return p.recording }

// Tick returns the number of steps done.
func (p *Player) Tick() uint64 { return p.player.Tick() }

// World returns the world at Tick, after its step and before the commands that follow. The caller
// must only read the world: after a change the player returns a Mismatch.
func (p *Player) World() *world.World { return p.world.World() }

// Seek goes to a tick. For a tick outside the recording it returns an error and changes nothing.
// The error is a *Mismatch if a tick differs from the recording, and a *buffer.Failure if a
// function that the recording calls panics. After a *Mismatch or a *buffer.Failure the player
// cannot be used any more.
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

// guard calls f, and turns a panic and a runtime.Goexit in f into an error. After an error, all
// later calls return the same error. The exception is ErrNoWayBack, after which the player can
// still go forward.
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
