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
	// mostSnapshot is the greatest size of a compressed snapshot, in bytes.
	mostSnapshot = 64 << 20
)

// Options configure a session. All programs of a match must have the same Match, Players, InputSize
// and Apply, and the same Rate in the engine's Config.
type Options struct {
	// Match names what all programs must share: the game, its version, and a secret that invited
	// players know. The host does not answer a program with a different Match.
	Match string
	// Players is the greatest number of players, including the host, from 2 to 8.
	Players int
	// WaitFor is the number of players that must be present before the first tick. 0 means
	// Players. Other players can join while the match runs.
	WaitFor int
	// InputSize is the size of a player's input, from 1 to 32 bytes.
	InputSize int
	// Apply turns the inputs of all players at a tick into commands, which take effect when that
	// tick is done. Apply must depend on nothing but its arguments. The parameter inputs has the
	// input of each player, or nil for an empty place. The inputs are valid only during the call.
	Apply func(c world.Commands, tick uint64, inputs [][]byte)
	// Guess guesses an unknown input of a player. The slice input has the player's newest known
	// input, which is the given number of ticks old, and Guess writes its guess to this slice. A
	// nil Guess guesses that the input does not change.
	Guess func(player, ticks int, input []byte)

	// Delay is the number of ticks after which this player's input takes effect, from
	// 1 to 30; 0 means 2. A frame runs at most Delay + 1 ticks.
	Delay int
	// Window is the number of ticks, from 2 to 120, that the world may run beyond the newest tick
	// for which all inputs are known. 0 means 16. Then the world waits.
	Window int
	// Timeout limits the time for which the other players must wait for a player. The host adds up
	// the time in which a player is silent, gives no inputs or slows the other programs down,
	// subtracts 2% of all time, and drops the player above the limit. 0 means 5 s.
	Timeout time.Duration
	// OnDrop is called in Session.Update or Session.Remove for each guest that the host drops,
	// unless OnDesync is called for that guest. If OnDrop is nil, the Logger of the engine's Config
	// reports the guest.
	OnDrop func(*Drop)
	// OnDesync is called in Session.Update for each Desync. If OnDesync is nil, the Logger of the
	// engine's Config reports each Desync.
	OnDesync func(*Desync)
	// Now returns the present time since any fixed instant. Nil means the wall clock.
	Now func() time.Duration
}

func (o *Options) validate() error {
	for _, n := range [...]struct {
		name        string
		value       *int
		standard    int // the value that 0 stands for
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
	o.Now = monotonic(o.Now)
	return nil
}

// monotonic returns a clock that begins at 0, advances like the clock given as now, and stands
// still while that clock goes back. A nil now means the wall clock.
func monotonic(now func() time.Duration) func() time.Duration {
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

// digest returns a hash of the options that all programs of a match share.
func (o *Options) digest(rate clock.Rate) (t token) {
	sum := sha256.Sum256(fmt.Appendf(nil, "halfstep netplay 1, %d players, %d bytes, %d/%d steps, %s",
		o.Players, o.InputSize, rate.Num, rate.Den, o.Match))
	copy(t[:], sum[:])
	return t
}

// config returns the caller's Config with the changes that a session needs: the witness as
// the first controller, a limit on the size of a host's world, and enough ticks to roll back.
func (o *Options) config(c engine.Config, w *witness, host bool) engine.Config {
	setup := c.Setup
	c.Setup = func(world *world.World) error {
		world.AddController(w) // the first controller sees a tick before other controllers act on it
		if setup != nil {
			if err := setup(world); err != nil {
				return err
			}
		}
		if host {
			return checkSendable(world)
		}
		return nil
	}
	c.History.Rollback.Ticks = max(c.History.Rollback.Ticks, o.Window+8)
	return c
}
