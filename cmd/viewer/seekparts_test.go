package main

import (
	"slices"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/frametime"
)

// wallBench is a bench whose frames do not wait for physics.
func wallBench(t *testing.T, args string, ticks uint64) *bench {
	t.Helper()
	b := newPanelBench(t, args)
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	for b.Stage.View.Tick < ticks {
		b.Travel.Steps = 10
		b.run(1)
	}
	return b
}

// seeks runs frames until a seek has arrived, and returns the ticks that were shown.
func (b *bench) seeks() (shown []uint64) {
	b.t.Helper()
	for b.Travel.Seeking.On {
		if b.run(1); b.Stage.View.Tick != 0 && (len(shown) == 0 || shown[len(shown)-1] != b.Stage.View.Tick) {
			shown = append(shown, b.Stage.View.Tick)
		}
		time.Sleep(time.Millisecond)
	}
	return shown
}

// farSeek is a bench on its way to tick 250 of a recording, by parts that begin short.
func farSeek(t *testing.T) *bench {
	t.Helper()
	b := wallBench(t, "-scene drift", 0)
	b.openRecording(recordSession(t, "-scene spring", 300))
	b.press(input.KeySpace)
	b.Travel.Seek(250)
	b.Travel.Seeking.Part = 1
	return b
}

func TestALongSeekShowsPicturesOnTheWayAndTheKnobStaysWhereItWasDragged(t *testing.T) {
	b := farSeek(t)
	for b.Travel.Seeking.On {
		if got := b.panel.Bar.Scrubbed(false); got != 250 {
			t.Fatalf("the knob is at tick %d", got)
		}
		b.run(1)
		time.Sleep(time.Millisecond)             // physics needs the processor, too
		if k := &b.Travel.Seeking; k.Part > 16 { // so that a fast machine needs parts, too
			k.Part = 16
		}
	}
	if b.Stage.View.Tick != 250 {
		t.Errorf("at tick %d", b.Stage.View.Tick)
	}
	b.run(2)
	if got := b.panel.Bar.Scrubbed(false); got != 250 {
		t.Errorf("then the knob is at tick %d", got)
	}
	b.Travel.Seek(100)
	b.press(input.KeyN)
	shown := b.seeks()
	if last := shown[len(shown)-1]; last != 101 {
		t.Errorf("back to tick 100 and a step on it shows %v", shown)
	}
}

// A part that is as short as its frames are long would be one tick for ever.
func TestSlowFramesDoNotMakeTheWayOfASeekLonger(t *testing.T) {
	b := farSeek(t)
	pictures := 0
	for ; b.Travel.Seeking.On; pictures++ {
		b.run(1)
		time.Sleep(60 * time.Millisecond)
	}
	if b.Stage.View.Tick != 250 || pictures > 100 {
		t.Errorf("at tick %d after %d pictures", b.Stage.View.Tick, pictures)
	}
}

func TestALongSeekCanBeGivenUp(t *testing.T) {
	b := wallBench(t, "-scene drift", 0)
	b.openRecording(recordSession(t, "-scene spring", 300))
	b.press(input.KeySpace)
	b.Travel.Seek(250)
	for b.Stage.View.Tick < 20 {
		b.Travel.Seeking.Part = 1
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	if !b.Travel.GiveUpSeek() {
		t.Fatal("there is nothing to give up")
	}
	at := b.Stage.View.Tick
	for range 40 { // the part that is under way arrives
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	if now := b.Stage.View.Tick; now < at || now > at+4 {
		t.Errorf("given up at tick %d, it is at %d", at, now)
	}
}

func TestTheSessionWaitsWhileItsPastIsSetUpAndTheLastTickAskedForIsReached(t *testing.T) {
	b := wallBench(t, "-scene blocks", 220)
	now := b.Stage.Player.Demanded()
	b.Travel.Seek(now - 60)
	for b.Stage.Shown.What != play.ShowsPast {
		time.Sleep(100 * time.Microsecond)
		if b.run(1); b.Stage.Shown.What != play.ShowsPast && (!b.Travel.Seeking.On || b.Stage.Player.Demanded() != now) {
			t.Fatalf("the session goes on to tick %d while its past is set up", b.Stage.Player.Demanded())
		}
	}
	b.run(1)
	if at := b.Stage.View.Tick; at > now-60 || len(b.Stage.View.Cur) == 0 {
		t.Errorf("the first picture of the past is that of tick %d, with %d bodies", at, len(b.Stage.View.Cur))
	}
	if b.seeks(); b.Stage.View.Tick != now-60 {
		t.Errorf("it shows tick %d, not %d", b.Stage.View.Tick, now-60)
	}
	b.Travel.Seek(now - 200) // and what is asked for meanwhile is where it goes
	b.Travel.Seek(now - 100)
	if b.seeks(); b.Stage.View.Tick != now-100 {
		t.Errorf("it shows tick %d, not %d", b.Stage.View.Tick, now-100)
	}
}

func TestAWindowShowsTheWayToTheTickOfSeek(t *testing.T) {
	b := newBench(t, "-panel -scene rain -seek 200")
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	if !b.Travel.Seeking.On || b.Stage.View.Tick >= 200 {
		t.Fatalf("after three frames it is at tick %d", b.Stage.View.Tick)
	}
	if shown := b.seeks(); len(shown) < 3 || b.Stage.View.Tick != 200 {
		t.Errorf("it shows %v", shown)
	}
}

func TestASceneThatIsOpenedEndsASeek(t *testing.T) {
	b := wallBench(t, "-scene drift", 100)
	b.Travel.Seek(50) // the past is being set up
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	if b.run(3); b.Stage.Shown.What == play.ShowsPast || b.Travel.Seeking.On || b.Stage.View.Tick > 50 {
		t.Errorf("past %v, %+v, tick %d", b.Stage.Shown.What, b.Travel.Seeking, b.Stage.View.Tick)
	}
}

func TestPlayingBackwardShowsEvenlySpacedTicksHoweverLongTheyTake(t *testing.T) {
	for _, frames := range []int{0, 5, 40} { // that a picture takes
		var p play.Pace
		epoch, under := uint32(1), 0
		var moved []uint64
		for range 4000 {
			if p.Asked && under == 0 {
				epoch++
			}
			under--
			if n := p.Pass(1, epoch); n > 0 {
				moved = append(moved, n)
				if under = frames; len(moved)%10 == 0 {
					under *= 5 // a way to a keyframe
				}
			}
		}
		rest := moved[len(moved)/2:]
		least, most := slices.Min(rest), slices.Max(rest)
		if float64(most) > 1.5*float64(least)+1 || len(rest) < 10 {
			t.Errorf("of pictures that take %d frames some move by %d ticks, some by %d", frames, least, most)
		}
	}
}

func TestAFrameAwaitsThePastOnlyWhileAPictureOfItIsUnderWay(t *testing.T) {
	b := wallBench(t, "-scene blocks", 220)
	present := func(want bool, when string) {
		t.Helper()
		b.lastEpoch, b.lastShown = b.Stage.View.Epoch, time.Now()
		if got := b.Travel.Awaits(b.lastShown, b.lastEpoch); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	present(false, "in the present")
	b.Travel.Seek(b.Stage.Player.Demanded() - 60)
	present(true, "on the way")
	b.seeks()
	present(false, "when it has arrived")
	b.Travel.ToggleBackward()
	for !b.Travel.Playback.Pace.Asked {
		b.run(1)
	}
	present(true, "playing backward")
	b.Travel.StopBackward()
	present(false, "when that was stopped")
	for range 20 {
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	present(false, "and later")
	b.Travel.ToggleBackward()
	for b.Stage.Player.Demanded() > b.Stage.Shown.Recording.First {
		b.Travel.Playback.Pace.Due += 20
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	for range 50 {
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	present(false, "at the beginning")
}
