package play

import (
	"testing"

	"halfstep/renderloop/clock"
)

func TestPausedTimeStandsStillAndNStepsOnce(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(10)
	b.do("pause")
	at := b.Stage.Player.Demanded()
	b.run(20)
	if got := b.Stage.Player.Demanded(); got != at || !b.Stage.Player.Paused() {
		t.Fatalf("paused at tick %d, then %d", at, got)
	}
	b.do("step", "step")
	b.run(1)
	if v := b.Stage.View; b.Stage.Player.Demanded() != at+2 || v.Instant != float64(at+2) {
		t.Errorf("two single steps went from %d to %d, shown %v", at, b.Stage.Player.Demanded(), v.Instant)
	}
	b.run(2)
	l := b.Stage.Player.Ledger()
	if b.Stage.Player.Demanded() != at+2 || l.Dropped() != 0 || l.Paused() <= 0 || l.Stepped() <= 0 {
		t.Errorf("tick %d, dropped %v s, paused %v s, stepped %v s", b.Stage.Player.Demanded(), l.Dropped(), l.Paused(), l.Stepped())
	}
	b.do("pause")
	if b.Stage.Player.Paused() {
		t.Error("it is still paused")
	}
	b.run(5)
	// Time for six ticks passes, and after a single step another step is due at once.
	if got := b.Stage.Player.Demanded(); got <= at+2 || got > at+2+7 {
		t.Errorf("after the pause from %d to %d", at+2, got)
	}
}

func TestScenesGoRound(t *testing.T) {
	first := newBench(t, "-scene blocks").Stage.Scenes[0].Name
	b := newBench(t, "-scene "+first)
	n := len(b.Stage.Scenes)
	b.do("previous scene")
	if b.Stage.Current != n-1 {
		t.Errorf("the scene before the first is %s", b.Stage.Scene().Name)
	}
	b.do("next scene")
	if got := b.Stage.Scene().Name; got != first {
		t.Errorf("and the one after that is %s", got)
	}
	if len(b.told) != 2 || b.told[1] != first {
		t.Errorf("the program is told of %q", b.told)
	}
}

func TestStepRatesAndTimeScalesStayInTheirLists(t *testing.T) {
	b := newBench(t, "-scene drift -hz 59.94")
	b.do("rate up")
	if b.Stage.Player.Rate() != clock.Hz(60) {
		t.Errorf("up from 59.94: %v", b.Stage.Player.Rate())
	}
	for range 30 {
		b.do("rate down", "faster")
	}
	if b.Stage.Player.Rate() != clock.Hz(stepRates[0]) || b.Stage.Player.Scale() != 4 {
		t.Errorf("%v Hz, scale %v", b.Stage.Player.Rate(), b.Stage.Player.Scale())
	}
	for range 30 {
		b.do("rate up", "slower")
	}
	if b.Stage.Player.Rate() != clock.Hz(960) || b.Stage.Player.Scale() != .01 {
		t.Errorf("%v Hz, scale %v", b.Stage.Player.Rate(), b.Stage.Player.Scale())
	}
}

func TestARestartKeepsAPauseAndAnotherSceneDoesNot(t *testing.T) {
	b := newBench(t, "-scene rain")
	b.run(10)
	b.do("pause", "restart")
	if b.run(10); !b.Travel.Stopped() || b.Stage.View.Tick != 0 {
		t.Errorf("restarted: paused %v, tick %d", b.Travel.Stopped(), b.Stage.View.Tick)
	}
	b.do("next scene")
	if b.run(10); b.Travel.Stopped() {
		t.Error("the next scene is paused")
	}
	b.do("restart")
	if b.run(10); b.Travel.Stopped() {
		t.Error("a restart pauses")
	}
}

func TestAToolEndsWithTheScene(t *testing.T) {
	b := newBench(t, "-scene empty")
	b.run(1)
	b.Sketcher.UseTool(JointTool)
	if b.do("next scene"); b.Sketcher.Tool != HandTool {
		t.Errorf("the next scene has the tool %s", Tools[b.Sketcher.Tool].Name)
	}
}
