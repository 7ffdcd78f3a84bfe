package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop/frametime"
	"halfstep/world"
)

// hash is that of the world that is shown.
func (b *bench) hash() uint64 {
	got := make(chan uint64, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) uint64 { return w.Hash() }, func(_ uint64, h uint64) { got <- h })
	for len(got) == 0 {
		b.run(1)
	}
	return <-got
}

func TestASessionIsLookedBackOnAndGoesOnAsIfItHadNotBeen(t *testing.T) {
	for _, stepper := range play.StepperNames {
		t.Run(stepper, func(t *testing.T) { looksBack(t, "-scene cradle -stepper "+stepper) })
	}
}

// Whoever is asked to end the run meanwhile can take it over.
func TestThePastIsSetUpWhereThatMayBeAbandoned(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.run(100)
	sc := &b.Stage.Scenes[b.Stage.Current]
	config, asked := sc.Config, false
	sc.Config = func() engine.Config {
		c := config()
		setup := c.Setup
		c.Setup = func(w *world.World) error {
			asked = true
			if now := b.Stage.Owner.State.Load(); now != play.Waiting {
				t.Errorf("ownership %d", now)
			}
			return setup(w)
		}
		return c
	}
	b.Travel.Seek(50)
	if b.Stage.Shown.What != play.ShowsPast || !asked || b.Stage.Owner.State.Load() != play.Drawing {
		t.Errorf("past %v, set up %v, ownership %d", b.Stage.Shown.What, asked, b.Stage.Owner.State.Load())
	}
}

func looksBack(t *testing.T, args string) {
	straight := newPanelBench(t, args)
	straight.run(300)
	straight.press(input.KeySpace)
	want := straight.hash()

	b := newPanelBench(t, args)
	b.run(200)
	ball := b.Sampler.Tracked[0].Body
	now, _ := b.Stage.Player.Pose(ball)
	tick := b.Stage.Player.Demanded()
	b.press(input.KeySpace)
	b.Travel.Seek(tick - 100)
	b.run(3)
	if b.Stage.Shown.What != play.ShowsPast || b.Stage.Player.Demanded() != tick-100 {
		t.Fatalf("at tick %d, says %q", b.Stage.Player.Demanded(), b.picture.Notice.Text)
	}
	if then, ok := b.Stage.Player.Pose(ball); !ok || math.Hypot(then.X-now.X, then.Y-now.Y) < .01 {
		t.Errorf("the ball is at %+v, %v, as in the present", then, ok)
	}
	b.press(input.KeyN)
	b.run(3)
	if got := b.Stage.Player.Demanded(); got != tick-99 {
		t.Errorf("a step on it is at tick %d", got)
	}
	b.press(input.KeyEnd)
	b.run(3)
	if b.Stage.Shown.What == play.ShowsPast || b.Stage.Player.Demanded() != tick {
		t.Errorf("in the present at tick %d, not %d", b.Stage.Player.Demanded(), tick)
	}
	if p, _ := b.Stage.Player.Pose(ball); math.Hypot(p.X-now.X, p.Y-now.Y) > .2 {
		t.Errorf("the ball is at %+v, not %+v", p, now)
	}
	b.press(input.KeySpace)
	b.run(50)
	b.press(input.KeySpace)
	for b.Stage.Player.Demanded() < straight.Stage.Player.Demanded() {
		b.press(input.KeyN)
		b.run(1)
	}
	if got := b.hash(); got != want || b.Stage.Player.Demanded() != straight.Stage.Player.Demanded() {
		t.Errorf("at tick %d it has hash %x, not %x at %d", b.Stage.Player.Demanded(), got, want, straight.Stage.Player.Demanded())
	}
}

func TestThePastPlaysOnIntoThePresentAndBackward(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	present := b.Stage.Player.Demanded()
	b.Travel.Skip(-1)
	b.run(3)
	if b.Stage.Shown.What != play.ShowsPast || b.Stage.Player.Demanded() > present-50 {
		t.Fatalf("a second back is tick %d of %d", b.Stage.Player.Demanded(), present)
	}
	b.run(90)
	if b.Stage.Shown.What == play.ShowsPast || b.Stage.Player.Demanded() < present {
		t.Errorf("later it is at tick %d, not past %d", b.Stage.Player.Demanded(), present)
	}
	b.press(input.KeyBackspace)
	b.run(60)
	if b.Stage.Shown.What != play.ShowsPast || !b.Travel.Playback.Backward {
		t.Fatalf("it does not play backward: %q", b.picture.Notice.Text)
	}
	if x, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body); x.X > float64(present)/60 {
		t.Errorf("a second backward it is at %v", x.X)
	}
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil || b.Stage.Shown.What == play.ShowsPast || b.Stage.View.Tick > 2 {
		t.Errorf("another scene begins at tick %d, %v", b.Stage.View.Tick, err)
	}
}

func TestABodyThatIsYoungerThanThePastStaysChosenThere(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	// On the wall clock a frame does not wait for the past to come to its tick.
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	runTo := func(tick uint64) {
		for b.Stage.View.Tick < tick {
			b.run(1)
			time.Sleep(time.Millisecond)
		}
	}
	runTo(40)
	all := b.Stage.View.Scene.Bodies
	young := world.Body(all[len(all)-1].Handle)
	b.Inspect.Choose(young)
	runTo(60)
	b.Travel.Seek(b.Stage.Player.Demanded() - 1)
	b.press(input.KeySpace)
	for b.Travel.Seeking.On {
		b.run(1)
	}
	if b.Inspect.Body != young {
		t.Errorf("at tick %d of the past %v is chosen, not %v", b.Stage.View.Tick, b.Inspect.Body, young)
	}
	b.Travel.Seek(1)
	for b.Stage.View.Tick > 1 {
		b.run(1)
	}
	if _, there := b.Stage.View.Scene.Slot(uint64(young)); there || b.Inspect.Body != 0 {
		t.Errorf("before it was there (%v), %v is chosen", there, b.Inspect.Body)
	}
}

func TestWhatIsDoneInThePastLeavesThePresentAsItWas(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(60)
	b.press(input.KeyF5)
	b.run(60)
	b.press(input.KeyBackspace) // backward, for which the past is paused
	b.run(10)
	b.press(input.KeyF8)
	if !strings.Contains(b.picture.Notice.Text, "cannot be changed") {
		t.Errorf("a snapshot in the past: %q", b.picture.Notice.Text)
	}
	b.press(input.KeyEqual)
	b.press(input.KeyComma)
	if b.Stage.Player.Scale() != .5 {
		t.Errorf("the past plays at the scale %v", b.Stage.Player.Scale())
	}
	b.press(input.KeyEnd)
	if b.Stage.Player.Paused() || b.Stage.Shown.What == play.ShowsPast {
		t.Error("the present is paused, because the past was")
	}
	if now, next := b.Stage.Player.Scale(), b.Stage.Settings.Scale; now != 1 || next != 1 {
		t.Errorf("the past was slow, and the present has the scale %v, the next scene %v", now, next)
	}
	if b.Stage.Settings.Rate.Num != 0 {
		t.Errorf("the rate of the past is that of the next scene: %v", b.Stage.Settings.Rate)
	}
}

func TestAStretchThatReachesBeyondThePastIsCutToIt(t *testing.T) {
	for _, from := range []uint64{5, 400} {
		b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
		b.run(430)
		b.Travel.Playback.From, b.Travel.Playback.To = from, b.Stage.Player.Demanded()+100
		b.Travel.Seek(from)
		b.run(3)
		r := b.Stage.Shown.Recording
		if r == nil || r.First < 100 {
			t.Fatalf("the past is %v", r)
		}
		b.Travel.ToggleBackward()
		seen := map[uint64]bool{}
		for range int(r.Ticks - r.First + 60) {
			b.run(1)
			seen[b.Stage.Player.Demanded()] = true
		}
		if !seen[max(r.First, from)] || !seen[r.Ticks] || seen[from-1] {
			t.Errorf("backward from tick %d to %d it shows %d ticks of %d to %d", from, b.Travel.Playback.To, len(seen), r.First, r.Ticks)
		}
	}
	b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
	b.run(430)
	b.Travel.Playback.From, b.Travel.Playback.To = 5, 50
	b.Travel.Seek(b.Stage.Player.Demanded() - 20)
	b.run(60)
	if b.Stage.Shown.What == play.ShowsPast {
		t.Errorf("a loop that is too old holds the past at tick %d", b.Stage.Player.Demanded())
	}
}

func TestARunWithoutAPersonKeepsNoPast(t *testing.T) {
	b := newBench(t, "-hidden -scene drift")
	b.run(30)
	b.Travel.Seek(3)
	if b.Stage.Shown.What == play.ShowsPast || b.Travel.HasPast || b.picture.Notice.Text == "" {
		t.Errorf("it keeps %v, says %q", b.Travel.HasPast, b.picture.Notice.Text)
	}
}

func TestHitchesAndEventsOfTheChosenBodyAreMarkedOnTheBar(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.run(5)
	n, _ := b.Stage.Player.Find("tyre")
	b.Inspect.Choose(n)
	b.run(240) // until it is down
	events := len(b.Notes.All)
	marks := func(col ui.Colour, wide float32) (all int) {
		b.run(1)
		for _, s := range b.panel.Ui.Shapes() {
			if s.Kind == ui.Box && s.Colour == col && s.W == wide && s.H == 12 {
				all++
			}
		}
		return all
	}
	if n := marks(ui.Warn, 3); n != 0 {
		t.Errorf("%d hitches before there is one", n)
	}
	b.Notes.Note(play.BarMark{Tick: b.Stage.Player.Demanded() - 100})
	if n := marks(ui.Warn, 3); n != 1 {
		t.Errorf("%d hitches, not 1", n)
	}
	if n := marks(ui.Accent, 1); events == 0 || n == 0 {
		t.Errorf("%d marks for %d events", n, events)
	}
	wheel, _ := b.Stage.Player.Find("wheel")
	b.Notes.All = append(b.Notes.All, play.BarMark{Tick: b.Stage.Player.Demanded() - 50, Body: wheel})
	b.Inspect.Choose(wheel)
	if n := marks(ui.Accent, 1); n != 1 {
		t.Errorf("another body is chosen: %d marks, not the one of its own", n)
	}
	before := len(b.Notes.All)
	for i := range 20 { // a part that is replayed again and again
		b.Notes.Note(play.BarMark{Tick: uint64(1e6 + i%2), Body: n})
	}
	if got := len(b.Notes.All) - before; got != 2 {
		t.Errorf("two events that come again and again are kept %d times", got)
	}
	for range 2 * play.MostBarMarks {
		b.Notes.Note(play.BarMark{Tick: uint64(len(b.Notes.All))})
		b.Notes.Note(play.BarMark{Tick: 1 << 40, Body: n})
	}
	if len(b.Notes.All) > play.MostBarMarks {
		t.Errorf("%d marks", len(b.Notes.All))
	}
}

func TestPlayingBackwardSaysSoAndSpaceAndNStopIt(t *testing.T) {
	for _, key := range []input.Key{input.KeySpace, input.KeyN} {
		b := newPanelBench(t, "-scene drift")
		b.run(120)
		b.press(input.KeyBackspace)
		b.run(20)
		if !b.reads("playing backward") || b.reads("paused") || b.Travel.Stopped() {
			t.Errorf("the title says %q", b.reading())
		}
		b.press(key)
		b.run(3)
		at := b.Stage.View.Tick
		b.run(10)
		if b.Travel.Playback.Backward || b.Stage.View.Tick != at || b.Stage.Shown.What != play.ShowsPast || !b.reads("paused") {
			t.Errorf("key %v does not stop it: tick %d, then %d", key, at, b.Stage.View.Tick)
		}
		b.press(input.KeySpace)
		b.run(5)
		if b.Stage.View.Tick <= at || b.Travel.Playback.Backward {
			t.Errorf("the next Space leads from tick %d to %d", at, b.Stage.View.Tick)
		}
	}
}

func TestAPausedPresentIsStillPausedWhenThePastHasPlayedUpToIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.press(input.KeySpace)
	b.run(2)
	now := b.Stage.Player.Demanded()
	b.press(input.KeyBackspace)
	b.run(20)
	b.press(input.KeySpace)
	b.press(input.KeySpace)
	b.run(60)
	if b.Stage.Shown.What == play.ShowsPast || !b.Stage.Player.Paused() || b.Stage.Player.Demanded() != now {
		t.Errorf("in the past %v, paused %v, at tick %d, not %d", b.Stage.Shown.What == play.ShowsPast, b.Stage.Player.Paused(), b.Stage.Player.Demanded(), now)
	}
}

// reads reports whether the panel shows a text that contains this.
func (b *bench) reads(text string) bool { return strings.Contains(b.reading(), text) }

// reading is what the panel says.
func (b *bench) reading() (all string) {
	c := b.panel.Ui
	for i := range c.Shapes() {
		if s := &c.Shapes()[i]; s.Kind == ui.Label {
			all += string(c.Text(s)) + " "
		}
	}
	return all
}

func TestTheBannerAndTheBarShowTheSameTime(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(200)
	b.press(input.KeyBackspace)
	for range 60 {
		b.run(1)
		if says := b.Travel.Place(b.picture.BannerTick()); b.Stage.Shown.What == play.ShowsPast && !b.reads(says) {
			t.Fatalf("the banner says %q, the panel %q", says, b.reading())
		}
	}
}

func TestThePanelSaysWhyThereIsNoPast(t *testing.T) {
	const comparing, alone = "no past while comparing", "only the engine's own loop keeps a past"
	box := " -black-box " + t.TempDir()
	for args, why := range map[string]string{"-compare soft": comparing, "-compare soft" + box: comparing, "-loop single": alone} {
		b := newPanelBench(t, "-scene arch "+args)
		if !b.reads(why) {
			t.Errorf("%s: %s", args, b.reading())
		}
		b.run(90)
		b.Travel.Skip(-1)
		if b.run(60); b.Stage.Shown.What == play.ShowsPast || b.picture.Notice.Text == "" {
			t.Errorf("%s: there is a past, with the notice %q", args, b.picture.Notice.Text)
		}
	}
}

// A user set it back in the past, and the present went on as slowly as before.
func TestThePanelSaysWhoseTimeScaleItShows(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.Travel.Seek(60)
	if b.run(3); !b.reads("time scale of the past") {
		t.Error(b.reading())
	}
	b.press(input.KeyEnd)
	if b.run(3); b.reads("time scale of the past") || !b.reads("time scale") {
		t.Error(b.reading())
	}
}
