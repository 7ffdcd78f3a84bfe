package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop/frametime"
	"halfstep/world"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// hash is that of the world that is shown.
func (b *bench) hash() uint64 {
	got := make(chan uint64, 1)
	world.Ask(b.player.Commands, func(w *world.World) uint64 { return w.Hash() }, func(_ uint64, h uint64) { got <- h })
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
	sc := &b.scenes[b.current]
	config, asked := sc.Config, false
	sc.Config = func() engine.Config {
		c := config()
		setup := c.Setup
		c.Setup = func(w *world.World) error {
			asked = true
			if now := b.owner.state.Load(); now != waiting {
				t.Errorf("ownership %d", now)
			}
			return setup(w)
		}
		return c
	}
	b.seek(50)
	if b.past == nil || !asked || b.owner.state.Load() != drawing {
		t.Errorf("past %v, set up %v, ownership %d", b.past, asked, b.owner.state.Load())
	}
}

func looksBack(t *testing.T, args string) {
	straight := newPanelBench(t, args)
	straight.run(300)
	straight.press(glfw.KeySpace)
	want := straight.hash()

	b := newPanelBench(t, args)
	b.run(200)
	ball := b.tracked[0].body
	now, _ := b.player.pose(ball)
	tick := b.player.Demanded()
	b.press(glfw.KeySpace)
	b.seek(tick - 100)
	b.run(3)
	if b.past == nil || b.player.Demanded() != tick-100 {
		t.Fatalf("at tick %d, says %q", b.player.Demanded(), b.notice.text)
	}
	if then, ok := b.player.pose(ball); !ok || math.Hypot(then.X-now.X, then.Y-now.Y) < .01 {
		t.Errorf("the ball is at %+v, %v, as in the present", then, ok)
	}
	b.press(glfw.KeyN)
	b.run(3)
	if got := b.player.Demanded(); got != tick-99 {
		t.Errorf("a step on it is at tick %d", got)
	}
	b.press(glfw.KeyEnd)
	b.run(3)
	if b.past != nil || b.player.Demanded() != tick {
		t.Errorf("in the present at tick %d, not %d", b.player.Demanded(), tick)
	}
	if p, _ := b.player.pose(ball); math.Hypot(p.X-now.X, p.Y-now.Y) > .2 {
		t.Errorf("the ball is at %+v, not %+v", p, now)
	}
	b.press(glfw.KeySpace)
	b.run(50)
	b.press(glfw.KeySpace)
	for b.player.Demanded() < straight.player.Demanded() {
		b.press(glfw.KeyN)
		b.run(1)
	}
	if got := b.hash(); got != want || b.player.Demanded() != straight.player.Demanded() {
		t.Errorf("at tick %d it has hash %x, not %x at %d", b.player.Demanded(), got, want, straight.player.Demanded())
	}
}

func TestThePastPlaysOnIntoThePresentAndBackward(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	present := b.player.Demanded()
	b.skip(-1)
	b.run(3)
	if b.past == nil || b.player.Demanded() > present-50 {
		t.Fatalf("a second back is tick %d of %d", b.player.Demanded(), present)
	}
	b.run(90)
	if b.past != nil || b.player.Demanded() < present {
		t.Errorf("later it is at tick %d, not past %d", b.player.Demanded(), present)
	}
	b.press(glfw.KeyBackspace)
	b.run(60)
	if b.past == nil || !b.playback.backward {
		t.Fatalf("it does not play backward: %q", b.notice.text)
	}
	if x, _ := b.player.pose(b.tracked[0].body); x.X > float64(present)/60 {
		t.Errorf("a second backward it is at %v", x.X)
	}
	if err := b.changeScene(b.current); err != nil || b.past != nil || b.view.Tick > 2 {
		t.Errorf("another scene begins at tick %d, %v", b.view.Tick, err)
	}
}

func TestABodyThatIsYoungerThanThePastStaysChosenThere(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	// On the wall clock a frame does not wait for the past to come to its tick.
	b.source, b.settings.simulated = frametime.NewWallSource(), false
	if err := b.changeScene(b.current); err != nil {
		t.Fatal(err)
	}
	runTo := func(tick uint64) {
		for b.view.Tick < tick {
			b.run(1)
			time.Sleep(time.Millisecond)
		}
	}
	runTo(40)
	all := b.view.Scene.Bodies
	young := world.Body(all[len(all)-1].Handle)
	b.inspect.choose(young)
	runTo(60)
	b.seek(b.player.Demanded() - 1)
	b.press(glfw.KeySpace)
	for b.seeking.on {
		b.run(1)
	}
	if b.inspect.body != young {
		t.Errorf("at tick %d of the past %v is chosen, not %v", b.view.Tick, b.inspect.body, young)
	}
	b.seek(1)
	for b.view.Tick > 1 {
		b.run(1)
	}
	if _, there := b.view.Scene.Slot(uint64(young)); there || b.inspect.body != 0 {
		t.Errorf("before it was there (%v), %v is chosen", there, b.inspect.body)
	}
}

func TestWhatIsDoneInThePastLeavesThePresentAsItWas(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(60)
	b.press(glfw.KeyF5)
	b.run(60)
	b.press(glfw.KeyBackspace) // backward, for which the past is paused
	b.run(10)
	b.press(glfw.KeyF8)
	if !strings.Contains(b.notice.text, "cannot be changed") {
		t.Errorf("a snapshot in the past: %q", b.notice.text)
	}
	b.press(glfw.KeyEqual)
	b.press(glfw.KeyComma)
	if b.player.Scale() != .5 {
		t.Errorf("the past plays at the scale %v", b.player.Scale())
	}
	b.press(glfw.KeyEnd)
	if b.player.Paused() || b.past != nil {
		t.Error("the present is paused, because the past was")
	}
	if now, next := b.player.Scale(), b.settings.scale; now != 1 || next != 1 {
		t.Errorf("the past was slow, and the present has the scale %v, the next scene %v", now, next)
	}
	if b.settings.rate.Num != 0 {
		t.Errorf("the rate of the past is that of the next scene: %v", b.settings.rate)
	}
}

func TestAStretchThatReachesBeyondThePastIsCutToIt(t *testing.T) {
	for _, from := range []uint64{5, 400} {
		b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
		b.run(430)
		b.playback.from, b.playback.to = from, b.player.Demanded()+100
		b.seek(from)
		b.run(3)
		r := b.playedRecording()
		if r == nil || r.First < 100 {
			t.Fatalf("the past is %v", r)
		}
		b.toggleBackward()
		seen := map[uint64]bool{}
		for range int(r.Ticks - r.First + 60) {
			b.run(1)
			seen[b.player.Demanded()] = true
		}
		if !seen[max(r.First, from)] || !seen[r.Ticks] || seen[from-1] {
			t.Errorf("backward from tick %d to %d it shows %d ticks of %d to %d", from, b.playback.to, len(seen), r.First, r.Ticks)
		}
	}
	b := newPanelBench(t, "-scene drift -black-box "+t.TempDir()+",1s")
	b.run(430)
	b.playback.from, b.playback.to = 5, 50
	b.seek(b.player.Demanded() - 20)
	b.run(60)
	if b.past != nil {
		t.Errorf("a loop that is too old holds the past at tick %d", b.player.Demanded())
	}
}

func TestARunWithoutAPersonKeepsNoPast(t *testing.T) {
	b := newBench(t, "-hidden -scene drift")
	b.run(30)
	b.seek(3)
	if b.past != nil || b.hasPast || b.notice.text == "" {
		t.Errorf("it keeps %v, says %q", b.hasPast, b.notice.text)
	}
}

func TestHitchesAndEventsOfTheChosenBodyAreMarkedOnTheBar(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.run(5)
	n, _ := b.player.find("tyre")
	b.inspect.choose(n)
	b.run(240) // until it is down
	events := len(b.barMarks)
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
	b.note(barMark{tick: b.player.Demanded() - 100})
	if n := marks(ui.Warn, 3); n != 1 {
		t.Errorf("%d hitches, not 1", n)
	}
	if n := marks(ui.Accent, 1); events == 0 || n == 0 {
		t.Errorf("%d marks for %d events", n, events)
	}
	wheel, _ := b.player.find("wheel")
	b.barMarks = append(b.barMarks, barMark{b.player.Demanded() - 50, wheel})
	b.inspect.choose(wheel)
	if n := marks(ui.Accent, 1); n != 1 {
		t.Errorf("another body is chosen: %d marks, not the one of its own", n)
	}
	before := len(b.barMarks)
	for i := range 20 { // a part that is replayed again and again
		b.note(barMark{uint64(1e6 + i%2), n})
	}
	if got := len(b.barMarks) - before; got != 2 {
		t.Errorf("two events that come again and again are kept %d times", got)
	}
	for range 2 * mostBarMarks {
		b.note(barMark{tick: uint64(len(b.barMarks))})
		b.note(barMark{1 << 40, n})
	}
	if len(b.barMarks) > mostBarMarks {
		t.Errorf("%d marks", len(b.barMarks))
	}
}

func TestPlayingBackwardSaysSoAndSpaceAndNStopIt(t *testing.T) {
	for _, key := range []glfw.Key{glfw.KeySpace, glfw.KeyN} {
		b := newPanelBench(t, "-scene drift")
		b.run(120)
		b.press(glfw.KeyBackspace)
		b.run(20)
		if !b.reads("playing backward") || b.reads("paused") || b.stopped() {
			t.Errorf("the title says %q", b.reading())
		}
		b.press(key)
		b.run(3)
		at := b.view.Tick
		b.run(10)
		if b.playback.backward || b.view.Tick != at || b.past == nil || !b.reads("paused") {
			t.Errorf("key %v does not stop it: tick %d, then %d", key, at, b.view.Tick)
		}
		b.press(glfw.KeySpace)
		b.run(5)
		if b.view.Tick <= at || b.playback.backward {
			t.Errorf("the next Space leads from tick %d to %d", at, b.view.Tick)
		}
	}
}

func TestAPausedPresentIsStillPausedWhenThePastHasPlayedUpToIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.press(glfw.KeySpace)
	b.run(2)
	now := b.player.Demanded()
	b.press(glfw.KeyBackspace)
	b.run(20)
	b.press(glfw.KeySpace)
	b.press(glfw.KeySpace)
	b.run(60)
	if b.past != nil || !b.player.Paused() || b.player.Demanded() != now {
		t.Errorf("in the past %v, paused %v, at tick %d, not %d", b.past != nil, b.player.Paused(), b.player.Demanded(), now)
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
	b.press(glfw.KeyBackspace)
	for range 60 {
		b.run(1)
		if says := b.place(b.bannerTick()); b.past != nil && !b.reads(says) {
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
		b.skip(-1)
		if b.run(60); b.past != nil || b.notice.text == "" {
			t.Errorf("%s: there is a past, with the notice %q", args, b.notice.text)
		}
	}
}

// A user set it back in the past, and the present went on as slowly as before.
func TestThePanelSaysWhoseTimeScaleItShows(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.seek(60)
	if b.run(3); !b.reads("time scale of the past") {
		t.Error(b.reading())
	}
	b.press(glfw.KeyEnd)
	if b.run(3); b.reads("time scale of the past") || !b.reads("time scale") {
		t.Error(b.reading())
	}
}
