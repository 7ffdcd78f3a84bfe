package play

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop/frametime"
	"halfstep/world"
)

func TestASessionIsLookedBackOnAndGoesOnAsIfItHadNotBeen(t *testing.T) {
	for _, stepper := range StepperNames {
		t.Run(stepper, func(t *testing.T) { looksBack(t, "-scene cradle -stepper "+stepper) })
	}
}

// A goroutine that is asked to end the run during this time can take over.
func TestThePastIsSetUpWhereThatMayBeAbandoned(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.run(100)
	sc := b.Stage.Scene()
	config, asked := sc.Config, false
	sc.Config = func() engine.Config {
		c := config()
		setup := c.Setup
		c.Setup = func(w *world.World) error {
			asked = true
			if now := b.Stage.Owner.state.Load(); now != waiting {
				t.Errorf("ownership %d", now)
			}
			return setup(w)
		}
		return c
	}
	b.Travel.Seek(50)
	if b.Stage.Shown.What != ShowsPast || !asked || b.Stage.Owner.state.Load() != drawing {
		t.Errorf("past %v, set up %v, ownership %d", b.Stage.Shown.What, asked, b.Stage.Owner.state.Load())
	}
}

func looksBack(t *testing.T, args string) {
	straight := newPanelBench(t, args)
	straight.run(300)
	straight.do("pause")
	want := straight.hash()

	b := newPanelBench(t, args)
	b.run(200)
	ball := b.Sampler.Tracked[0].Body
	now, _ := b.Stage.Player.Pose(ball)
	tick := b.Stage.Player.Demanded()
	b.do("pause")
	b.Travel.Seek(tick - 100)
	b.run(3)
	if b.Stage.Shown.What != ShowsPast || b.Stage.Player.Demanded() != tick-100 {
		t.Fatalf("at tick %d, says %q", b.Stage.Player.Demanded(), b.says)
	}
	if then, ok := b.Stage.Player.Pose(ball); !ok || math.Hypot(then.X-now.X, then.Y-now.Y) < .01 {
		t.Errorf("the ball is at %+v, %v, as in the present", then, ok)
	}
	b.do("step")
	b.run(3)
	if got := b.Stage.Player.Demanded(); got != tick-99 {
		t.Errorf("a step on it is at tick %d", got)
	}
	b.do("present")
	b.run(3)
	if b.Stage.Shown.What == ShowsPast || b.Stage.Player.Demanded() != tick {
		t.Errorf("in the present at tick %d, not %d", b.Stage.Player.Demanded(), tick)
	}
	if p, _ := b.Stage.Player.Pose(ball); math.Hypot(p.X-now.X, p.Y-now.Y) > .2 {
		t.Errorf("the ball is at %+v, not %+v", p, now)
	}
	b.do("pause")
	b.run(50)
	b.do("pause")
	for b.Stage.Player.Demanded() < straight.Stage.Player.Demanded() {
		b.do("step")
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
	if b.Stage.Shown.What != ShowsPast || b.Stage.Player.Demanded() > present-50 {
		t.Fatalf("a second back is tick %d of %d", b.Stage.Player.Demanded(), present)
	}
	b.run(90)
	if b.Stage.Shown.What == ShowsPast || b.Stage.Player.Demanded() < present {
		t.Errorf("later it is at tick %d, not past %d", b.Stage.Player.Demanded(), present)
	}
	b.do("backward")
	b.run(60)
	if b.Stage.Shown.What != ShowsPast || !b.Travel.Playback.Backward {
		t.Fatalf("it does not play backward: %q", b.says)
	}
	if x, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body); x.X > float64(present)/60 {
		t.Errorf("a second backward it is at %v", x.X)
	}
	if err := b.ChangeScene(b.Stage.Current); err != nil || b.Stage.Shown.What == ShowsPast || b.Stage.View.Tick > 2 {
		t.Errorf("another scene begins at tick %d, %v", b.Stage.View.Tick, err)
	}
}

func TestABodyThatIsYoungerThanThePastStaysChosenThere(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	// on the wall clock a frame does not wait for the past's tick
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.ChangeScene(b.Stage.Current); err != nil {
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
	b.do("pause")
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
	b.do("snapshot")
	b.run(60)
	b.do("backward") // play backward, for which the past is paused
	b.run(10)
	b.do("restore")
	if !strings.Contains(b.says, "cannot be changed") {
		t.Errorf("a snapshot in the past: %q", b.says)
	}
	b.do("rate up")
	b.do("slower")
	if b.Stage.Player.Scale() != .5 {
		t.Errorf("the past plays at the scale %v", b.Stage.Player.Scale())
	}
	b.do("present")
	if b.Stage.Player.Paused() || b.Stage.Shown.What == ShowsPast {
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
	if b.Stage.Shown.What == ShowsPast {
		t.Errorf("a loop that is too old holds the past at tick %d", b.Stage.Player.Demanded())
	}
}

func TestARunWithoutAPersonKeepsNoPast(t *testing.T) {
	b := newBench(t, "-hidden -scene drift")
	b.run(30)
	b.Travel.Seek(3)
	if b.Stage.Shown.What == ShowsPast || b.Travel.HasPast || b.says == "" {
		t.Errorf("it keeps %v, says %q", b.Travel.HasPast, b.says)
	}
}

func TestAPausedPresentIsStillPausedWhenThePastHasPlayedUpToIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.do("pause")
	b.run(2)
	now := b.Stage.Player.Demanded()
	b.do("backward")
	b.run(20)
	b.do("pause")
	b.do("pause")
	b.run(60)
	if b.Stage.Shown.What == ShowsPast || !b.Stage.Player.Paused() || b.Stage.Player.Demanded() != now {
		t.Errorf("in the past %v, paused %v, at tick %d, not %d", b.Stage.Shown.What == ShowsPast, b.Stage.Player.Paused(), b.Stage.Player.Demanded(), now)
	}
}

func TestTheEndOfWhatWasIsToldAndEndsItsFigures(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(100)
	b.Travel.Skip(-1)
	b.run(2)
	b.ContinueFromPast(BesideBranch)
	b.until("it goes on", func() bool { return b.Stage.Right != nil })
	b.run(20)
	if _, ended := b.Comparer.Ended(); ended {
		t.Fatalf("it has ended at tick %d", b.Stage.Right.View.Tick)
	}
	if d, ok := b.Sampler.Apart(); !ok || d > 1e-6 {
		t.Errorf("nothing was changed, and they are %v apart, %v", d, ok)
	}
	b.run(100)
	if !strings.Contains(b.says, "the old run ends here, at 1.7 s") {
		t.Errorf("it says %q", b.says)
	}
	if d, ok := b.Sampler.Apart(); ok {
		t.Errorf("they are said to be %v apart, at ticks %d and %d", d, b.Stage.View.Tick, b.Stage.Right.View.Tick)
	}
}

func TestABlackBoxIsWrittenFromThePastToo(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, "-scene rain -black-box "+dir)
	b.Stage.Stdout, b.Stage.Stderr = io.Discard, io.Discard
	b.run(200)
	b.Travel.Skip(-1)
	b.run(5)
	if b.Stage.Shown.What != ShowsPast {
		t.Fatal(b.says)
	}
	b.do("black box")
	if err := b.Files.Wait(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*-key.rec")); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
}
