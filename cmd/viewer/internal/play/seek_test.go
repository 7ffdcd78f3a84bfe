package play

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestAReplayCanBeSearchedBothWays(t *testing.T) {
	file := recordSession(t, "-scene rain", 200)
	r := newBench(t, "-scene drift")
	r.openRecording(file)
	r.run(100)
	was := r.Stage.View.Tick
	r.do("forward")
	if got := r.Stage.View.Tick; got < was+60 || got > was+62 {
		t.Errorf("on a second from %d: at %d", was, got)
	}
	r.do("back", "back")
	if got := r.Stage.View.Tick; got > was-57 {
		t.Errorf("back two seconds: at %d, was at %d", got, was)
	}
	r.run(20)
	if r.Stage.Player.Failure() != nil {
		t.Error(r.Stage.Player.Failure())
	}
}

func TestAMomentHasTheSameTimeInThePastAsWhenItWas(t *testing.T) {
	b := newBench(t, "-scene drift -black-box "+t.TempDir()+",2s")
	b.run(600) // this is longer than the kept past
	b.do("pause")
	b.run(3)
	b.do("back")
	b.until("the past is shown", func() bool { return b.Stage.Shown.What == ShowsPast && !b.Travel.Seeking.On })
	if first := b.Stage.Shown.Recording.First; first < 100 {
		t.Fatalf("the past begins at tick %d", first)
	}
	if tick := b.Stage.View.Tick; math.Abs(b.Travel.Seconds(float64(tick))-float64(tick)/60) > 1e-6 {
		t.Errorf("tick %d is at %.2f s", tick, b.Travel.Seconds(float64(tick)))
	}
}

func TestSeekToZeroShowsTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newBench(t, "-scene rain -seek 0 -record "+file)
	b.run(1)
	if b.Stage.View.Tick != 0 {
		t.Errorf("the scene is at tick %d", b.Stage.View.Tick)
	}
	b.run(60)
	b.Close()

	r := newBench(t, "-scene drift -seek 0")
	r.openRecording(file)
	r.run(1)
	if r.Stage.View.Tick != 0 {
		t.Errorf("the replay is at tick %d", r.Stage.View.Tick)
	}
	r.run(60)
	if r.Stage.Player.Failure() != nil || r.Stage.Done.Load() < 50 {
		t.Errorf("at tick %d: %v", r.Stage.Done.Load(), r.Stage.Player.Failure())
	}
}

// If a part were as short as its frames are long, each part would have only one tick.
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
	b.do("pause")
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
	for range 40 { // the part in progress ends
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
	for b.Stage.Shown.What != ShowsPast {
		time.Sleep(100 * time.Microsecond)
		if b.run(1); b.Stage.Shown.What != ShowsPast && (!b.Travel.Seeking.On || b.Stage.Player.Demanded() != now) {
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
	b.Travel.Seek(now - 200) // a request during a seek replaces the target of the seek
	b.Travel.Seek(now - 100)
	if b.seeks(); b.Stage.View.Tick != now-100 {
		t.Errorf("it shows tick %d, not %d", b.Stage.View.Tick, now-100)
	}
}

func TestASceneThatIsOpenedEndsASeek(t *testing.T) {
	b := wallBench(t, "-scene drift", 100)
	b.Travel.Seek(50) // the past is being set up
	if err := b.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	if b.run(3); b.Stage.Shown.What == ShowsPast || b.Travel.Seeking.On || b.Stage.View.Tick > 50 {
		t.Errorf("past %v, %+v, tick %d", b.Stage.Shown.What, b.Travel.Seeking, b.Stage.View.Tick)
	}
}

func TestPlayingBackwardShowsEvenlySpacedTicksHoweverLongTheyTake(t *testing.T) {
	for _, frames := range []int{0, 5, 40} { // that a picture takes
		var p Pace
		epoch, under := uint32(1), 0
		var moved []uint64
		for range 4000 {
			if p.asked && under == 0 {
				epoch++
			}
			under--
			if n := p.pass(1, epoch); n > 0 {
				moved = append(moved, n)
				if under = frames; len(moved)%10 == 0 {
					under *= 5 // the ticks up to a keyframe
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
		if got := b.Travel.Awaits(time.Now(), b.Stage.View.Epoch); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	present(false, "in the present")
	b.Travel.Seek(b.Stage.Player.Demanded() - 60)
	present(true, "on the way")
	b.seeks()
	present(false, "when it has arrived")
	b.Travel.ToggleBackward()
	for !b.Travel.Playback.pace.asked {
		b.run(1)
	}
	present(true, "playing backward")
	b.Travel.stopBackward()
	present(false, "when that was stopped")
	for range 20 {
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	present(false, "and later")
	b.Travel.ToggleBackward()
	for b.Stage.Player.Demanded() > b.Stage.Shown.Recording.First {
		b.Travel.Playback.pace.due += 20
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	for range 50 {
		b.run(1)
		time.Sleep(time.Millisecond)
	}
	present(false, "at the beginning")
}

func TestLookingBackOnTheWayOfASeekEndsTheWay(t *testing.T) {
	b := wayBench(t)
	b.Travel.Skip(-1)
	b.until("the past", func() bool { return b.Stage.Shown.What == ShowsPast && !b.Travel.Seeking.On })
	if at := b.Stage.Shown.Recording.Ticks; b.Stage.View.Tick+100 < at || b.Stage.View.Tick > at {
		t.Errorf("at tick %d of %d", b.Stage.View.Tick, at)
	}
}

func TestASceneThatIsOpenedOnTheWayOfASeekBeginsAtItsStart(t *testing.T) {
	for _, key := range []string{"restart", "next scene"} {
		b := wayBench(t)
		b.Travel.Steps = 3000
		b.do(key)
		if b.Stage.View.Tick > 100 {
			t.Errorf("it begins at tick %d", b.Stage.View.Tick)
		}
	}
}

// wayBench returns a bench during the seek of -seek.
func wayBench(t *testing.T) *bench {
	b := newPanelBench(t, "-scene rain")
	b.Stage.Settings.Simulated = false
	b.run(120)
	b.Travel.Seeking.To = 1_000_000
	b.Travel.beginSeek()
	b.Travel.sendPart()
	return b
}
