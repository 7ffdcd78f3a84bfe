package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"halfstep/cmd/viewer/articles"
	"halfstep/world"
)

// comparison is what the right half of the picture shows.
type comparison struct {
	kind  comparisonKind
	name  string
	apply func(*settings)          // otherSetting: changes the left half's settings into the right half's
	run   branch                   // otherRecording, leftRun: what is replayed
	setup func(*world.World) error // otherRecording: sets up its scene
}

type comparisonKind int

const (
	noComparison   comparisonKind = iota // there is no right half
	otherSetting                         // the same scene with another setting: -compare
	otherRecording                       // the second one of two recordings: -diff
	leftRun                              // the run that the user left to go on from its past
)

// replays reports whether the right half replays a run.
func (c *comparison) replays() bool { return c.kind == otherRecording || c.kind == leftRun }

// outlives reports whether the comparison goes on in a scene that is about to be opened. One with another
// setting needs a scene that is no recording. A recording is compared in the first scene of the run, and
// the run that was left beside the one that begins with a state of it.
func (c *comparison) outlives(sc *sceneEntry, first, begun bool) bool {
	switch c.kind {
	case otherSetting:
		return sc.replay == nil
	case otherRecording:
		return first
	case leftRun:
		return begun
	}
	return true
}

// parse takes the value of -compare: the name of a smoothing, sync, pacing, loop or stepper.
func (c *comparison) parse(name string) error {
	smoothing, noSmoothing := parseSmoothing(name)
	sync, noSync := parseSync(name)
	_, noStepper := parseStepper(name)
	switch {
	case noSmoothing == nil:
		c.apply = func(s *settings) { s.smoothing = smoothing }
	case noSync == nil:
		c.apply = func(s *settings) { s.sync, s.loop = sync, "" }
	case name == "pacing" || name == "nopacing":
		c.apply = func(s *settings) { s.pacing, s.loop = name == "pacing", "" }
	case slices.Contains(articles.Names(), name):
		c.apply = func(s *settings) { s.loop = name }
	case noStepper == nil:
		c.apply = func(s *settings) { s.stepper = name }
	default:
		return errors.New("must be a smoothing mode, a sync mode, pacing, nopacing, a stepper or a loop: " + strings.Join(articles.Names(), ", "))
	}
	c.kind, c.name = otherSetting, name
	return nil
}

// rightHalf is the right half of a comparison. It shows the same scene in a second
// engine, which gets the frame times and commands of the first.
type rightHalf struct {
	side
	// underCursor says that the cursor is in the right half. It does not change
	// while a button is down.
	underCursor bool
}

// beside is what the right half of the picture shows.
type beside struct {
	stage   *stage
	travel  *travel
	compare comparison
}

// openRight starts the engine of the right half, if there is one.
func (h *beside) openRight(sc *sceneEntry) error {
	if h.compare.kind == noComparison {
		h.stage.right = nil
		return nil
	}
	if h.stage.right == nil {
		h.stage.right = &rightHalf{}
	}
	with := h.rightSettings()
	h.stage.owner.beginWait() // the setup may take long; see ownership
	config := sc.Config()
	run := &h.compare.run
	if h.compare.replays() {
		setup := config.Setup
		if h.compare.kind == otherRecording {
			setup = h.compare.setup
		}
		config = run.recording.Config(setup)
		config.History.ReplayFrom = run.from
	}
	e, err := with.engine(sc, config)
	h.stage.owner.endWait()
	if err != nil {
		return err
	}
	h.stage.host.started(e, false)
	o := h.stage.right
	o.player, o.drag, o.settings = e, drag{}, with
	o.view = e.View()
	if h.compare.replays() {
		if err := e.engine.History().Seek(run.from); err != nil {
			return err
		}
		o.view = e.Step(0) // the state of that tick, without a step
	}
	return nil
}

// rightSettings returns the settings of the left half with the one that differs.
func (h *beside) rightSettings() settings {
	with := h.stage.settings
	if h.compare.kind == otherSetting {
		h.compare.apply(&with)
	}
	return with
}

// closeRight closes the engine of the right half.
func (h *beside) closeRight() {
	if o := h.stage.right; o != nil && o.player != nil {
		h.stage.stopEngine(o.player)
	}
}

// setCompare compares with one setting in the right half, or with nothing if it is "".
func (s *session) setCompare(what string) error {
	var c comparison
	if what != "" {
		if err := c.parse(what); err != nil {
			return err
		}
		if s.stage.live().recording() || s.stage.shown.replay() != nil {
			s.host.say("a recording has no second half to compare with")
			return nil
		}
	}
	old := s.beside.compare
	err := s.restart("comparison", cmp.Or(what, "off"), func() { s.beside.compare = c })
	if err != nil {
		s.beside.compare = old
	}
	return err
}

// compareTower shows the scene for which the steppers differ most.
func (s *session) compareTower() error {
	at := slices.IndexFunc(s.stage.scenes, func(s sceneEntry) bool { return s.Name == "tower" && s.replay == nil })
	if at < 0 {
		return nil
	}
	return s.changes.leaveScene("a click", func() error {
		s.stage.settings.stepper = ""
		return cmp.Or(s.changeScene(at), s.setCompare("soft"))
	})
}

// failure is why physics has ended in the right half, or nil.
func (o *rightHalf) failure() error {
	if o == nil {
		return nil
	}
	if err := o.player.Failure(); err != nil {
		return fmt.Errorf("-compare: %w", err)
	}
	return nil
}

// apart returns how far apart the halves of a comparison show the first tracked body,
// m. ok is false if there is no such body or nothing is compared.
func (s *session) apart() (d float64, ok bool) {
	if s.stage.right == nil || len(s.tracked) == 0 {
		return 0, false
	}
	b := s.tracked[0].body
	p, ok1 := s.stage.player.pose(b)
	q, ok2 := s.stage.right.player.pose(b)
	return math.Hypot(p.CentreX-q.CentreX, p.CentreY-q.CentreY), ok1 && ok2
}
