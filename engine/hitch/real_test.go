package hitch_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/engine/hitch"
)

// The whole way: a fault, the runtime's flight recorder, and the tool that
// opens what it has written.
func TestAnInjectedStepLeavesATraceThatShowsIt(t *testing.T) {
	dir := t.TempDir()
	dumped := make(chan string, 8)
	rec, err := hitch.Start(hitch.Options{
		Dir: dir, Threshold: 250 * time.Millisecond, StartUp: time.Millisecond, StartUpFrames: 5,
		OnDump: func(path string, err error) {
			if err != nil {
				t.Error(err)
			}
			dumped <- path
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if _, err := hitch.Start(hitch.Options{Dir: dir, Threshold: time.Second}); err == nil {
		t.Error("two flight recorders run")
	}
	inject, err := fault.Parse("step:400ms@30")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{Name: "real", Testing: engine.Testing{Faults: []fault.Fault{inject}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	rec.Watch(e)
	var path string
	for path == "" {
		e.Frame()
		e.PlanSleep(4 * time.Millisecond)
		time.Sleep(4 * time.Millisecond)
		select {
		case path = <-dumped:
		default:
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rep hitch.Report
	if err := json.Unmarshal(data, &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Engine != "real" || rep.What != "physics step" || rep.Phase != "step" || rep.Tick != 30 || rep.Took < 400 ||
		len(rep.Injected) != 1 || rep.Injected[0] != "step:400ms@30" || len(rep.Ticks) == 0 || len(rep.Frames) == 0 {
		t.Errorf("%s", data)
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go tool to open the trace with")
	}
	out, err := exec.Command(goTool, "tool", "trace", "-d=parsed", filepath.Join(dir, rep.Trace)).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool trace: %v\n%.500s", err, out)
	}
	// The region of the late step, and the number of its tick.
	for _, want := range []string{`"physics step"`, `"render acquire"`, `Category="tick" Message="30"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in the trace", want)
		}
	}
}
