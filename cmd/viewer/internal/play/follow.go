package play

import (
	"fmt"
	"math"
	"time"

	"halfstep/cmd/viewer/internal/words"
)

// Follower keeps the picture close to the end of a recording that a program still writes. When the
// program has ended, the Follower waits until the program runs again.
type Follower struct {
	stage   *Stage
	host    Host
	travel  *Travel
	outcome *Outcome
	arrive  func(*SceneEntry, error) error // arrive opens the recording of a program that runs again.

	following
}

// following is the part of a Follower that ends with the open scene.
type following struct {
	On     bool          // On says that the picture stays close to the newest tick of a watched program.
	behind float64       // behind is the smoothed number of ticks by which the picture is behind that tick.
	waits  chan struct{} // waits is not nil while another goroutine waits for the program. Closing it ends the wait.
}

const (
	// followBehind is how far the picture is behind the newest tick that has arrived, in s. This delay
	// hides that ticks arrive in batches.
	followBehind    = .2
	followSmooth    = .08         // followSmooth is the time over which following.behind is smoothed, in s.
	leapBehind      = 2.          // leapBehind is the delay, in s, from which on the picture leaps to the newest tick.
	MaxCatchUpScale = 2.          // MaxCatchUpScale is the greatest time scale for catching up.
	rejoinEvery     = time.Second // rejoinEvery is the time between attempts to join a program that has ended.
)

// startFollowing begins to follow the recording that was opened. The parameter w is the source of the
// recording, or nil if nobody writes it any more. A growing file is followed too, but its picture does
// not stay close to the end.
func (f *Follower) startFollowing(w *Watch) {
	f.following = following{On: w != nil && w.URL != ""}
	if w != nil {
		f.stage.Shown.What, f.stage.Shown.Source = showsWatched, w
	}
	switch {
	case !f.On:
	case w.past != nil: // the program runs again
		f.host.Warn(w.past.Error() + "; from here on the program sends states")
	case f.stage.Shown.Replay().States:
		f.host.Warn("the picture shows the states that the program sends")
	default:
		f.host.Warn("the world is computed here, and compared with the program's in every tick")
	}
}

// stopWatching closes the source of the open recording. It also ends the wait for a program.
func (f *Follower) stopWatching() {
	if w := f.stage.Shown.Source; w != nil {
		w.from.Close()
		w.over = true
		f.stage.Shown.What, f.stage.Shown.Source = showsReplay, nil
	}
	if f.waits != nil {
		close(f.waits)
	}
	f.following = following{}
}

// keepUp is called before each frame. The frame lasts d. It makes the clock a little faster or slower, so
// that the picture stays followBehind behind the newest tick. If the picture is too far behind, it leaps
// to that tick. If the program has ended, keepUp begins to wait for it.
func (f *Follower) keepUp(d time.Duration) {
	w, r := f.stage.Shown.Source, f.stage.Shown.Replay()
	if w == nil {
		return
	}
	if unknown := f.outcome.UnknownFunction(); f.waits == nil && unknown != nil {
		f.rejoin(w, unknown)
	} else if !r.Live && w.URL != "" && f.waits == nil {
		f.rejoin(w, w.why())
	}
	if !f.On || f.travel.Seeking.On || f.stage.Player.Failure() != nil {
		return
	}
	rate := f.stage.Player.Rate().Float()
	behind := float64(r.Ticks - min(r.Ticks, f.stage.Player.Demanded()))
	if behind > leapBehind*rate {
		f.travel.Seeking.To = r.Ticks - uint64(followBehind*rate)
		f.travel.beginSeek()
		f.travel.sendPart()
		f.behind = followBehind * rate
		return
	}
	scale := 1.
	if r.Live {
		f.behind += (behind - f.behind) * min(1, d.Seconds()/followSmooth)
		scale = min(math.Round(64*f.behind/(followBehind*rate))/64, MaxCatchUpScale) // change the scale in steps, so that it does not change in every frame
	}
	if scale != f.stage.Player.Scale() {
		_ = f.stage.Player.SetScale(scale) // the scale is in the allowed range, so there is no error
	}
}

// Scale returns the time scale that the user has chosen. A scale that keepUp has chosen counts as 1.
func (f *Follower) Scale() float64 {
	if f.On {
		return 1
	}
	return f.stage.Player.Scale()
}

// stopKeepingUp ends the following of a watched program, because the user has paused it, gone to
// another tick, or chosen a time scale.
func (f *Follower) stopKeepingUp() {
	if f.On {
		f.On = false
		_ = f.stage.Player.SetScale(f.stage.Settings.Scale)
	}
}

// ToNow returns to the newest tick of a watched recording, or to the present of the session.
func (f *Follower) ToNow() {
	if !f.stage.Shown.Watched() {
		f.travel.ToPresent()
		return
	}
	f.travel.Seeking.On, f.travel.Playback = false, Playback{}
	f.stage.Player.SetPaused(false)
	f.On = true
}

// rejoin waits, on another goroutine, until a program runs again. The parameter why is the reason why
// its recording ended, or nil.
func (f *Follower) rejoin(w *Watch, why error) {
	quit := make(chan struct{})
	f.waits = quit
	join := WatchScene
	if why != nil {
		f.host.Warn(why.Error())
		// the reason is likely to occur again, so from now on the viewer asks for states
		join = func(address string) (SceneEntry, error) { return joinProgram(address, withStates) }
	}
	go func() {
		for {
			sc, err := join(w.URL)
			select {
			case <-quit:
				if err == nil {
					sc.watch.from.Close()
				}
				return
			case <-time.After(rejoinEvery):
			}
			if err == nil {
				sc.watch.past = why
				f.host.Later(func() error { return f.arrive(&sc, nil) })
				return
			}
		}
	}()
}

// WatchText returns a text that says how far a tick is behind the newest tick, or that the program has
// ended.
func (f *Follower) WatchText(tick uint64) string {
	r := f.stage.Shown.Replay()
	behind := secondsBefore(r, tick)
	switch w := f.stage.Shown.Source; {
	case !r.Live && w.URL != "":
		return fmt.Sprintf("%s has ended; waiting for it to come back (%.1f s before its end)", words.Printable(w.URL), behind)
	case f.On:
		if r.States {
			return fmt.Sprintf("states (%.1f s behind)", behind)
		}
		return fmt.Sprintf("now (%.1f s behind)", behind)
	}
	return fmt.Sprintf("%.1f s behind now", behind)
}
