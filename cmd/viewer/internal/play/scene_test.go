package play

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/world"
)

// Earlier, the message for a scene that cannot be built was "car.json: setup: car.json:
// body 0: world: … (shape 1)".
func TestAMessageAboutASceneFileNamesItOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "car.json")
	text := `{"body":[{"type":2,"fixture":[` + strings.Repeat(`{"density":9e17,"circle":{"radius":25000}},`, 4) + `{"circle":{"radius":1}}]}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sc, err := fileScene(path)
	if err != nil {
		t.Fatal(err)
	}
	_, started := (&Settings{Scale: 1}).startPlayer(&sc, sc.Config())
	for _, err := range []error{sc.tryBuilding(), started} {
		if err == nil || strings.Count(err.Error(), "car.json") != 1 || strings.Contains(err.Error(), "setup") || strings.Contains(err.Error(), "shape") {
			t.Error(err)
		}
	}
}

func TestStrictRefusesASceneOfWhichAFixtureIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "car.json")
	if err := os.WriteFile(path, []byte(`{"body":[{"name":"wheel","fixture":[{"circle":{"radius":0}}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all, first, err := OpenScenes("", path, false)
	want := path + `: left out: body 0 "wheel": fixture 0: circle: radius 0: not above 0`
	if err != nil || all[first].Note != want {
		t.Errorf("%v, %q", err, all[first].Note)
	}
	if _, _, err := OpenScenes("", path, true); err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestADumpOpensAsASceneFile(t *testing.T) {
	all, first, err := OpenScenes("", "../../../../engine/rube/testdata/dump/box2d-go.txt", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := all[first].tryBuilding(); err != nil || !strings.HasSuffix(all[first].Note, "left out: line 634: a mouse joint, which Dump does not write") {
		t.Errorf("%v, %q", err, all[first].Note)
	}
}

func TestTheViewerSaysWhichEnginesAProgramHas(t *testing.T) {
	u, _ := url.Parse("http://localhost:6060?engine=my+client")
	names := http.Header{"Halfstep-Engine": {"server", "my+client"}}
	if said := enginesOf(u, names); !strings.Contains(said, `the engines ["server" "my client"], and "my client" is watched; ?engine=NAME`) {
		t.Error(said)
	}
	if said := enginesOf(u, http.Header{"Halfstep-Engine": {"server"}}); said != "" {
		t.Error(said)
	}
}

func TestRainKeepsWhatIsHeld(t *testing.T) {
	sc, _ := scenes.Lookup("rain")
	s := world.NewSimulation(sc.Config().World)
	defer s.Close()
	w := s.World()
	if err := sc.Config().Setup(w); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(120) {
		s.Step(i+1, 1./60)
	}
	var drop world.Body
	for b := range w.Bodies() {
		if info, _ := w.Body(b); info.Name == "drop" {
			drop = b
			break
		}
	}
	if _, err := w.CreateJoint(world.JointDef{Kind: world.MouseJoint, B: drop, Target: world.Vec{Y: 12}, MaxForce: 1e4, Frequency: 5, Damping: .7}); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(600) {
		s.Step(i+121, 1./60)
	}
	if _, err := w.Body(drop); err != nil {
		t.Error("the drop is gone from the hand")
	}
}

func TestARecordingOpenedAsASceneSaysHowToReplayIt(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	damaged := bytes.Clone(whole)
	damaged[100] ^= 1
	for name, data := range map[string][]byte{"whole one.rec": whole, "cut.rec": whole[:len(whole)-9], "damaged.rec": damaged} {
		path := filepath.Join(t.TempDir(), name)
		os.WriteFile(path, data, 0o600)
		want := path + " is a recording, not a scene: open it with viewer -replay"
		if _, err := fileScene(path); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
