package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop/frametime"
	"halfstep/world"
)

// hash is that of the world that is shown.
func (b *bench) hash() uint64 {
	got := make(chan uint64, 1)
	world.Ask(b.stage.player.Commands, func(w *world.World) uint64 { return w.Hash() }, func(_ uint64, h uint64) { got <- h })
	for len(got) == 0 {
		b.run(1)
	}
	return <-got
}

func TestASessionIsLookedBackOnAndGoesOnAsIfItHadNotBeen(t *testing.T) {
	for _, stepper := range stepperNames {
		t.Run(stepper, func(t *testing.T) { looksBack(t, "-scene cradle -stepper "+stepper) })
	}
}

// Whoever is asked to end the run meanwhile can take it over.
func TestThePastIsSetUpWhereThatMayBeAbandoned(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.run(100)
	sc := &b.stage.scenes[b.stage.current]
	config, asked := sc.Config, false
	sc.Config = func() engine.Config {
		c := config()
		setup := c.Setup
		c.Setup = func(w *world.World) error {
			asked = true
			if now := b.stage.owner.state.Load(); now != waiting {
				t.Errorf("ownership %d", now)
			}
			return setup(w)
		}
		return c
	}
	b.travel.seek(50)
	if b.stage.shown.what != showsPast || !asked || b.stage.owner.state.Load() != drawing {
		t.Errorf("past %v, set up %v, ownership %d", b.stage.shown.what, asked, b.stage.owner.state.Load())
	}
}

func looksBack(t *testing.T, args string) {
	straight := newPanelBench(t, args)
	straight.run(300)
	straight.press(input.KeySpace)
	want := straight.hash()

	b := newPanelBench(t, args)
	b.run(200)
	ball := b.session.tracked[0].body
	now, _ := b.stage.player.pose(ball)
	tick := b.stage.player.Demanded()
	b.press(input.KeySpace)
	b.travel.seek(tick - 100)
	b.run(3)
	if b.stage.shown.what != showsPast || b.stage.player.Demanded() != tick-100 {
		t.Fatalf("at tick %d, says %q", b.stage.player.Demanded(), b.notice.text)
	}
	if then, ok := b.stage.player.pose(ball); !ok || math.Hypot(then.X-now.X, then.Y-now.Y) < .01 {
		t.Errorf("the ball is at %+v, %v, as in the present", then, ok)
	}
	b.press(input.KeyN)
	b.run(3)
	if got := b.stage.player.Demanded(); got != tick-99 {
		t.Errorf("a step on it is at tick %d", got)
	}
	b.press(input.KeyEnd)
	b.run(3)
	if b.stage.shown.what == showsPast || b.stage.player.Demanded() != tick {
		t.Errorf("in the present at tick %d, not %d", b.stage.player.Demanded(), tick)
	}
	if p, _ := b.stage.player.pose(ball); math.Hypot(p.X-now.X, p.Y-now.Y) > .2 {
		t.Errorf("the ball is at %+v, not %+v", p, now)
	}
	b.press(input.KeySpace)
	b.run(50)
	b.press(input.KeySpace)
	for b.stage.player.Demanded() < straight.stage.player.Demanded() {
		b.press(input.KeyN)
		b.run(1)
	}
	if got := b.hash(); got != want || b.stage.player.Demanded() != straight.stage.player.Demanded() {
		t.Errorf("at tick %d it has hash %x, not %x at %d", b.stage.player.Demanded(), got, want, straight.stage.player.Demanded())
	}
}

func TestThePastPlaysOnIntoThePresentAndBackward(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	present := b.stage.player.Demanded()
	b.travel.skip(-1)
	b.run(3)
	if b.stage.shown.what != showsPast || b.stage.player.Demanded() > present-50 {
		t.Fatalf("a second back is tick %d of %d", b.stage.player.Demanded(), present)
	}
	b.run(90)
	if b.stage.shown.what == showsPast || b.stage.player.Demanded() < present {
		t.Errorf("later it is at tick %d, not past %d", b.stage.player.Demanded(), present)
	}
	b.press(input.KeyBackspace)
	b.run(60)
	if b.stage.shown.what != showsPast || !b.travel.playback.backward {
		t.Fatalf("it does not play backward: %q", b.notice.text)
	}
	if x, _ := b.stage.player.pose(b.session.tracked[0].body); x.X > float64(present)/60 {
		t.Errorf("a second backward it is at %v", x.X)
	}
	if err := b.session.changeScene(b.stage.current); err != nil || b.stage.shown.what == showsPast || b.stage.view.Tick > 2 {
		t.Errorf("another scene begins at tick %d, %v", b.stage.view.Tick, err)
	}
}

func TestABodyThatIsYoungerThanThePastStaysChosenThere(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	// On the wall clock a frame does not wait for the past to come to its tick.
	b.source, b.stage.settings.simulated = frametime.NewWallSource(), false
	if err := b.session.changeScene(b.stage.current); err != nil {
		t.Fatal(err)
	}
	runTo := func(tick uint64) {
		for b.stage.view.Tick < tick {
			b.run(1)
			time.Sleep(time.Millisecond)
		}
	}
	runTo(40)
	all := b.stage.view.Scene.Bodies
	young := world.Body(all[len(all)-1].Handle)
	b.inspect.choose(young)
	runTo(60)
	b.travel.seek(b.stage.player.Demanded() - 1)
	b.press(input.KeySpace)
	for b.travel.seeking.on {
		b.run(1)
	}
	if b.inspect.body != young {
		t.Errorf("at tick %d of the past %v is chosen, not %v", b.stage.view.Tick, b.inspect.body, young)
	}
	b.travel.seek(1)
	for b.stage.view.Tick > 1 {
		b.run(1)
	}
	if _, there := b.stage.view.Scene.Slot(uint64(young)); there || b.inspect.body != 0 {
		t.Errorf("before it was there (%v), %v is chosen", there, b.inspect.body)
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
	if !strings.Contains(b.notice.text, "cannot be changed") {
		t.Errorf("a snapshot in the past: %q", b.notice.text)
	}
	b.press(input.KeyEqual)
	b.press(input.KeyComma)
	if b.stage.player.Scale() != .5 {
		t.Errorf("the past plays at the scale %v", b.stage.player.Scale())
	}
	b.press(input.KeyEnd)
	if b.stage.player.Paused() || b.stage.shown.what == showsPast {
		t.Error("the present is paused, because the past was")
	}
	if now, next := b.stage.player.Scale(), b.stage.settings.scale; now != 1 || next != 1 {
		t.Errorf("the past was slow, and the present has the scale %v, the next scene %v", now, next)
	}
	if b.stage.settings.rate.Num != 0 {
		t.Errorf("the rate of the past is that of the next scene: %v", b.stage.settings.rate)
	}
}

func TestAStretchThatReachesBeyondThePastIsCutToIt(t *testing.T) {
	for _, from := range []uint64{5, 400} {
		b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
		b.run(430)
		b.travel.playback.from, b.travel.playback.to = from, b.stage.player.Demanded()+100
		b.travel.seek(from)
		b.run(3)
		r := b.stage.shown.recording
		if r == nil || r.First < 100 {
			t.Fatalf("the past is %v", r)
		}
		b.travel.toggleBackward()
		seen := map[uint64]bool{}
		for range int(r.Ticks - r.First + 60) {
			b.run(1)
			seen[b.stage.player.Demanded()] = true
		}
		if !seen[max(r.First, from)] || !seen[r.Ticks] || seen[from-1] {
			t.Errorf("backward from tick %d to %d it shows %d ticks of %d to %d", from, b.travel.playback.to, len(seen), r.First, r.Ticks)
		}
	}
	b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
	b.run(430)
	b.travel.playback.from, b.travel.playback.to = 5, 50
	b.travel.seek(b.stage.player.Demanded() - 20)
	b.run(60)
	if b.stage.shown.what == showsPast {
		t.Errorf("a loop that is too old holds the past at tick %d", b.stage.player.Demanded())
	}
}

func TestARunWithoutAPersonKeepsNoPast(t *testing.T) {
	b := newBench(t, "-hidden -scene drift")
	b.run(30)
	b.travel.seek(3)
	if b.stage.shown.what == showsPast || b.travel.hasPast || b.notice.text == "" {
		t.Errorf("it keeps %v, says %q", b.travel.hasPast, b.notice.text)
	}
}

func TestHitchesAndEventsOfTheChosenBodyAreMarkedOnTheBar(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.run(5)
	n, _ := b.stage.player.find("tyre")
	b.inspect.choose(n)
	b.run(240) // until it is down
	events := len(b.notes.all)
	marks := func(col ui.Colour, wide float32) (all int) {
		b.run(1)
		for _, s := range b.panel.ui.Shapes() {
			if s.Kind == ui.Box && s.Colour == col && s.W == wide && s.H == 12 {
				all++
			}
		}
		return all
	}
	if n := marks(ui.Warn, 3); n != 0 {
		t.Errorf("%d hitches before there is one", n)
	}
	b.notes.note(barMark{tick: b.stage.player.Demanded() - 100})
	if n := marks(ui.Warn, 3); n != 1 {
		t.Errorf("%d hitches, not 1", n)
	}
	if n := marks(ui.Accent, 1); events == 0 || n == 0 {
		t.Errorf("%d marks for %d events", n, events)
	}
	wheel, _ := b.stage.player.find("wheel")
	b.notes.all = append(b.notes.all, barMark{b.stage.player.Demanded() - 50, wheel})
	b.inspect.choose(wheel)
	if n := marks(ui.Accent, 1); n != 1 {
		t.Errorf("another body is chosen: %d marks, not the one of its own", n)
	}
	before := len(b.notes.all)
	for i := range 20 { // a part that is replayed again and again
		b.notes.note(barMark{uint64(1e6 + i%2), n})
	}
	if got := len(b.notes.all) - before; got != 2 {
		t.Errorf("two events that come again and again are kept %d times", got)
	}
	for range 2 * mostBarMarks {
		b.notes.note(barMark{tick: uint64(len(b.notes.all))})
		b.notes.note(barMark{1 << 40, n})
	}
	if len(b.notes.all) > mostBarMarks {
		t.Errorf("%d marks", len(b.notes.all))
	}
}

func TestPlayingBackwardSaysSoAndSpaceAndNStopIt(t *testing.T) {
	for _, key := range []input.Key{input.KeySpace, input.KeyN} {
		b := newPanelBench(t, "-scene drift")
		b.run(120)
		b.press(input.KeyBackspace)
		b.run(20)
		if !b.reads("playing backward") || b.reads("paused") || b.travel.stopped() {
			t.Errorf("the title says %q", b.reading())
		}
		b.press(key)
		b.run(3)
		at := b.stage.view.Tick
		b.run(10)
		if b.travel.playback.backward || b.stage.view.Tick != at || b.stage.shown.what != showsPast || !b.reads("paused") {
			t.Errorf("key %v does not stop it: tick %d, then %d", key, at, b.stage.view.Tick)
		}
		b.press(input.KeySpace)
		b.run(5)
		if b.stage.view.Tick <= at || b.travel.playback.backward {
			t.Errorf("the next Space leads from tick %d to %d", at, b.stage.view.Tick)
		}
	}
}

func TestAPausedPresentIsStillPausedWhenThePastHasPlayedUpToIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.press(input.KeySpace)
	b.run(2)
	now := b.stage.player.Demanded()
	b.press(input.KeyBackspace)
	b.run(20)
	b.press(input.KeySpace)
	b.press(input.KeySpace)
	b.run(60)
	if b.stage.shown.what == showsPast || !b.stage.player.Paused() || b.stage.player.Demanded() != now {
		t.Errorf("in the past %v, paused %v, at tick %d, not %d", b.stage.shown.what == showsPast, b.stage.player.Paused(), b.stage.player.Demanded(), now)
	}
}

// reads reports whether the panel shows a text that contains this.
func (b *bench) reads(text string) bool { return strings.Contains(b.reading(), text) }

// reading is what the panel says.
func (b *bench) reading() (all string) {
	c := b.panel.ui
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
		if says := b.travel.place(b.bannerTick()); b.stage.shown.what == showsPast && !b.reads(says) {
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
		b.travel.skip(-1)
		if b.run(60); b.stage.shown.what == showsPast || b.notice.text == "" {
			t.Errorf("%s: there is a past, with the notice %q", args, b.notice.text)
		}
	}
}

// A user set it back in the past, and the present went on as slowly as before.
func TestThePanelSaysWhoseTimeScaleItShows(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.travel.seek(60)
	if b.run(3); !b.reads("time scale of the past") {
		t.Error(b.reading())
	}
	b.press(input.KeyEnd)
	if b.run(3); b.reads("time scale of the past") || !b.reads("time scale") {
		t.Error(b.reading())
	}
}
