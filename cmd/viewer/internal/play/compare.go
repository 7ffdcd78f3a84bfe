package play

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"halfstep/cmd/viewer/loops"
	"halfstep/world"
)

// Comparison says what the right half of the picture shows.
type Comparison struct {
	Kind  ComparisonKind
	Name  string                   // Name is the name that the user sees.
	apply func(*Settings)          // apply, for otherSetting, changes the left half's settings into those of the right half.
	run   Branch                   // run, for OtherRecording and LeftRun, is the recording that is replayed, and the tick at which the replay begins.
	setup func(*world.World) error // setup, for OtherRecording, sets up the scene of the recording.
}

// ComparisonKind says what the left half is compared with.
type ComparisonKind int

const (
	NoComparison   ComparisonKind = iota // NoComparison: there is no right half.
	otherSetting                         // otherSetting: the same scene with another setting (-compare).
	OtherRecording                       // OtherRecording: the second of two recordings (-diff).
	LeftRun                              // LeftRun: the run that the user left when continuing from an earlier moment of that run.
)

// Replays reports whether the right half replays a run.
func (c *Comparison) Replays() bool { return c.Kind == OtherRecording || c.Kind == LeftRun }

// outlives reports whether the comparison continues in a scene that is about to be opened. A comparison
// with another setting continues unless the scene is a recording. A recording is compared only in the
// first scene of the run. The run that was left is compared with a run that begins with one of its
// states.
func (c *Comparison) outlives(sc *SceneEntry, firstScene, withState bool) bool {
	switch c.Kind {
	case otherSetting:
		return sc.Replay == nil
	case OtherRecording:
		return firstScene
	case LeftRun:
		return withState
	}
	return true
}

// Parse reads the value of -compare: the name of a smoothing, sync, pacing, loop or stepper.
func (c *Comparison) Parse(name string) error {
	smoothing, noSmoothing := ParseSmoothing(name)
	sync, noSync := ParseSync(name)
	_, noStepper := ParseStepper(name)
	switch {
	case noSmoothing == nil:
		c.apply = func(s *Settings) { s.Smoothing = smoothing }
	case noSync == nil:
		c.apply = func(s *Settings) { s.Sync, s.Loop = sync, "" }
	case name == "pacing" || name == "nopacing":
		c.apply = func(s *Settings) { s.Pacing, s.Loop = name == "pacing", "" }
	case slices.Contains(loops.Names(), name):
		c.apply = func(s *Settings) { s.Loop = name }
	case noStepper == nil:
		c.apply = func(s *Settings) { s.Stepper = name }
	default:
		return errors.New("must be a smoothing mode, a sync mode, pacing, nopacing, a stepper or a loop: " + strings.Join(loops.Names(), ", "))
	}
	c.Kind, c.Name = otherSetting, name
	return nil
}

// RightHalf is the right half of a comparison. It shows the same scene in a second engine, with the
// frame times and commands of the first engine.
type RightHalf struct {
	Side
	// UnderCursor says that the cursor is in the right half. It does not change while a button is down.
	UnderCursor bool
}

// Comparer opens and closes the right half of the picture.
type Comparer struct {
	stage   *Stage
	travel  *Travel
	Compare Comparison
	toldEnd bool // toldEnd says that the user has seen a message that the run in the right half has ended.
}

// comparing reports whether there is a right half.
func (h *Comparer) comparing() bool { return h.Compare.Kind != NoComparison }

// Ended reports whether the run in the right half has ended, so that the right half shows another
// moment than the left half. The result at is the time of that moment, in s of the run.
func (h *Comparer) Ended() (at float64, is bool) {
	if h.Compare.Kind != LeftRun || h.stage.Right == nil || h.stage.Right.View == nil {
		return 0, false
	}
	r := h.Compare.run.recording
	return r.TimeAt(r.Ticks).Seconds(), h.stage.Right.View.Tick >= r.Ticks
}

// Together reports whether the halves show the same moment, so that positions in them can be compared. The
// run that the user left shows another moment once that run has ended, and while the left half is ahead of
// that run.
func (h *Comparer) Together() bool {
	if h.Compare.Kind != LeftRun || h.stage.Right == nil {
		return true
	}
	l, r := h.stage.View, h.stage.Right.View
	return l.Tick == r.Tick && math.Abs(float64(l.Alpha-r.Alpha)) < 1e-3
}

// tellEnd shows the user once that the run in the right half has ended.
func (h *Comparer) tellEnd() {
	if at, is := h.Ended(); is && !h.toldEnd {
		h.toldEnd = true
		h.stage.host.Warn(fmt.Sprintf("the old run ends here, at %.1f s: the right half stands still", at))
	}
}

// openRight starts the player of the right half, if there is a right half.
func (h *Comparer) openRight(sc *SceneEntry) error {
	if h.toldEnd = false; !h.comparing() {
		h.stage.Right = nil
		return nil
	}
	if h.stage.Right == nil {
		h.stage.Right = &RightHalf{}
	}
	with := h.rightSettings()
	h.stage.Owner.physicsMayBlock() // the setup may take long
	config := sc.Config()
	run := &h.Compare.run
	if h.Compare.Replays() {
		setup := config.Setup
		if h.Compare.Kind == OtherRecording {
			setup = h.Compare.setup
		}
		config = run.recording.Config(setup)
		config.History.ReplayFrom = run.from
	}
	p, err := with.startPlayer(sc, config)
	h.stage.Owner.physicsReturned()
	if err != nil {
		return err
	}
	h.stage.host.Started(p, inRight)
	o := h.stage.Right
	o.Player, o.Drag, o.Settings = p, Drag{}, with
	o.View = p.View()
	if h.Compare.Replays() {
		from := run.from
		if h.Compare.Kind == LeftRun { // a seek leaves the clock at the end of the tick, but the left half is at the beginning of the tick
			from = max(from, run.recording.First+1) - 1
		}
		if err := p.Engine.History().Seek(from); err != nil {
			return err
		}
		o.View = p.Step(0) // the state of that tick, without a step
	}
	return nil
}

// rightSettings returns the settings of the left half, with the compared setting changed.
func (h *Comparer) rightSettings() Settings {
	with := h.stage.Settings
	if h.Compare.Kind == otherSetting {
		h.Compare.apply(&with)
	}
	return with
}

// CloseRight closes the player of the right half, if there is a right half.
func (h *Comparer) CloseRight() {
	if o := h.stage.Right; o != nil && o.Player != nil {
		h.stage.closePlayer(o.Player)
	}
}

// SetCompare compares the scene with another setting in the right half. If `what` is "" it ends the
// comparison.
func (s *Session) SetCompare(what string) error {
	var c Comparison
	if what != "" {
		if err := c.Parse(what); err != nil {
			return err
		}
		if s.Stage.Present().Records() || s.Stage.Shown.Replay() != nil {
			s.Host.Say("a recording has no second half to compare with")
			return nil
		}
	}
	old := s.Comparer.Compare
	err := s.Restart("comparison", cmp.Or(what, "off"), func() { s.Comparer.Compare = c })
	if err != nil {
		s.Comparer.Compare = old
	}
	return err
}

// CompareTower shows the scene in which the steppers differ most, with the scene's own stepper and the
// fast stepper side by side.
func (s *Session) CompareTower() error {
	at := slices.IndexFunc(s.Stage.Scenes, func(s SceneEntry) bool { return s.Name == "tower" && s.Replay == nil })
	if at < 0 {
		return nil
	}
	return s.Changes.LeaveScene("a click", func() error {
		s.Stage.Settings.Stepper = "" // the scene's own
		return cmp.Or(s.ChangeScene(at), s.SetCompare(world.FastStep.String()))
	})
}

// Failure returns why physics has ended in the right half, or nil.
func (o *RightHalf) Failure() error {
	if o == nil {
		return nil
	}
	if err := o.Player.Failure(); err != nil {
		return fmt.Errorf("-compare: %w", err)
	}
	return nil
}
