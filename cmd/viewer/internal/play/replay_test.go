package play

import (
	"strings"
	"testing"
)

func TestADroppedRecordingOpensAndEndsWithItsVerdictAndAnotherSceneCanFollow(t *testing.T) {
	file := recordSession(t, "-scene rain", 100)
	b := newPanelBench(t, "-scene drift")
	b.Session.SetLoop("single")
	if err := b.Session.Arrive(ReadScene(file)); err != nil {
		t.Fatal(err)
	}
	b.run(2)
	sc := b.Stage.Scene()
	if sc.Name != "rain" || b.Stage.Shown.Replay() == nil || b.Stage.Player.Engine == nil || sc.Category != recordingsCategory {
		t.Fatalf("open is %s, replay %v", sc.Name, b.Stage.Shown.Replay())
	}
	if b.Travel.ReplayVerdict() != "" {
		t.Errorf("at tick %d it says %q", b.Stage.View.Tick, b.Travel.ReplayVerdict())
	}
	b.run(150)
	if got := b.Travel.ReplayVerdict(); !strings.HasPrefix(got, "identical to tick ") {
		t.Errorf("at tick %d of %d it says %q", b.Stage.View.Tick, b.Stage.Shown.Replay().Ticks, got)
	}
	b.do("next scene")
	b.run(30)
	if b.Stage.Shown.Replay() != nil || b.Stage.Shown.Recording != nil || b.Stage.View.Tick < 10 || len(b.Stage.Scenes) < 30 {
		t.Errorf("the next scene: replay %v, tick %d, %d scenes", b.Stage.Shown.Replay(), b.Stage.View.Tick, len(b.Stage.Scenes))
	}
}
