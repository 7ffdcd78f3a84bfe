package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"halfstep/cmd/viewer/internal/files"
)

// A frame with all parts shown makes few GL calls. It makes as many for one body as for
// 821 bodies.
func TestAFrameWithThePanelHasFewGLCallsWhateverTheScene(t *testing.T) {
	needDisplay(t)
	calls := func(scene string, args ...string) (core, all int) {
		path := filepath.Join(t.TempDir(), "s.json")
		status, _, stderr := viewerRun(t, nil, append([]string{"-hidden", "-scene", scene, "-clock", "fixed:60", "-frames", "8", "-size", "640x400", "-stats", path}, args...)...)
		var s files.Stats
		data, _ := os.ReadFile(path)
		if err := json.Unmarshal(data, &s); err != nil || status != exitOK {
			t.Fatalf("status %d, %q, %v", status, stderr, err)
		}
		return s.Calls, s.AllCalls
	}
	few, fewAll := calls("drift", "-panel", "-timeline")
	many, manyAll := calls("pyramid", "-panel", "-timeline")
	if few != many || few > 20 || manyAll > 30 {
		t.Errorf("%d and %d calls for the world, %d and %d in all", few, many, fewAll, manyAll)
	}
}
