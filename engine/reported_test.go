package engine_test

import (
	"bytes"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

// "scene "my game" is not built in": a recording that a program made with Config.Record
// could be opened by that program alone.
func TestARecordingNeedsNoSetupUnlessAskedFor(t *testing.T) {
	for _, fromSetup := range []bool{false, true} {
		var file bytes.Buffer
		e := recordTo(t, engine.RecordOptions{W: &file, Scene: "my game", FromSetup: fromSetup})
		e.Step(30)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		r := read(t, file.Bytes())
		_, err := r.Verify(func(*world.World) error { return nil })
		if r.Snapshot == fromSetup || (err != nil) != fromSetup {
			t.Errorf("from setup %v: snapshot %v, %v", fromSetup, r.Snapshot, err)
		}
		if _, err := r.Verify(stack); err != nil {
			t.Errorf("from setup %v, by the program itself: %v", fromSetup, err)
		}
	}
}
