package netplay

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"halfstep/engine"
	"halfstep/internal/monotime"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

const (
	maxPlayers = 8
	maxInput   = 32
	maxWindow  = 120
	// mostSnapshot is how many bytes a snapshot may have on its way, packed.
	mostSnapshot = 64 << 20
)

// Options configure a session. All programs of a match have the same Match, Players,
// InputSize, Apply and rate of steps.
type Options struct {
	// Match names what the programs must have in common: the game, its version, and a
	// secret for those who are invited. Programs with another Match get no answer.
	Match string
	// Players is how many can play, the host among them, from 2 to 8.
	Players int
	// WaitFor is how many must be there before the first tick; 0 means Players. Others
	// join while the match runs.
	WaitFor int
	// InputSize is the size of a player's input, from 1 to 32 bytes.
	InputSize int
	// Apply turns the inputs of all players at a tick into commands, which take effect
	// when that tick is done. It depends on nothing but its arguments. inputs is by
	// player; nil is a place where nobody plays. They are valid during the call.
	Apply func(c world.Commands, tick uint64, inputs [][]byte)
	// Guess guesses a player's input that is not known yet, in place: input holds the newest
	// known one, from so many ticks before. A nil Guess repeats that one.
	Guess func(player, ticks int, input []byte)

	// Delay is how many ticks later this player's input takes effect, from 1 to 30; 0
	// means 2. A frame runs at most Delay + 1 ticks.
	Delay int
	// Window is how many ticks the world may go on past the newest tick of which all
	// inputs are known, from 2 to 120; 0 means 16. Then it waits.
	Window int
	// Timeout is for how long the others wait for a player, in all: one that is silent,
	// gives no inputs, or slows them down is then dropped. Two per cent of the time are
	// forgiven. 0 means 5 s.
	Timeout time.Duration
	// OnDrop is told of each guest that the host drops, in Update or Remove, but not of
	// those that OnDesync is told of. Nil means that Logger of the engine's config is
	// told.
	OnDrop func(*Drop)
	// OnDesync is told of each Desync, in Update. Nil means that Logger of the engine's
	// config is told.
	OnDesync func(*Desync)
	// Now tells the time; nil is the wall clock. Only differences count.
	Now func() time.Duration
}

func (o *Options) validate() error {
	for _, n := range [...]struct {
		name        string
		value       *int
		standard    int // what 0 means
		least, most int
	}{
		{"players", &o.Players, 0, 2, maxPlayers},
		{"players to wait for", &o.WaitFor, o.Players, 1, o.Players},
		{"bytes of an input", &o.InputSize, 0, 1, maxInput},
		{"ticks of delay", &o.Delay, 2, 1, 30},
		{"ticks in the window", &o.Window, 16, 2, maxWindow},
	} {
		*n.value = cmp.Or(*n.value, n.standard)
		if *n.value < n.least || *n.value > n.most {
			return fmt.Errorf("netplay: %d %s: must be from %d to %d", *n.value, n.name, n.least, n.most)
		}
	}
	if o.Apply == nil {
		return errors.New("netplay: no Apply")
	}
	o.Timeout = cmp.Or(max(o.Timeout, 0), 5*time.Second)
	o.Now = sinceNow(o.Now)
	return nil
}

// sinceNow makes of now, or of the wall clock if it is nil, a clock that begins at 0 and never
// goes back: when now is set back, no time passes.
func sinceNow(now func() time.Duration) func() time.Duration {
	if now == nil {
		began := monotime.Now()
		return func() time.Duration { return monotime.Since(began) }
	}
	last, passed := now(), time.Duration(0)
	return func() time.Duration {
		t := now()
		passed += max(0, t-last)
		last = t
		return passed
	}
}

// digest is the same for programs that can play together.
func (o *Options) digest(rate clock.Rate) (t token) {
	sum := sha256.Sum256(fmt.Appendf(nil, "halfstep netplay 1, %d players, %d bytes, %d/%d steps, %s",
		o.Players, o.InputSize, rate.Num, rate.Den, o.Match))
	copy(t[:], sum[:])
	return t
}

// config adds to the caller's engine config what a session needs: the witness as the first
// controller, a limit on the size of a host's world, and enough ticks to roll back.
func (o *Options) config(c engine.Config, w *witness, host bool) engine.Config {
	setup := c.Setup
	c.Setup = func(world *world.World) error {
		world.AddController(w) // first: it sees a tick before anything acts on it
		if setup != nil {
			if err := setup(world); err != nil {
				return err
			}
		}
		if host {
			return sendable(world)
		}
		return nil
	}
	c.History.Rollback.Ticks = max(c.History.Rollback.Ticks, o.Window+8)
	return c
}
