package hitch_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/trace"

	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/engine/hitch"
	"halfstep/world"
)

// The test covers the whole path: a fault, the runtime's flight recorder, and the content
// of the recorder's file.
func TestAnInjectedStepLeavesATraceThatShowsIt(t *testing.T) {
	dir := t.TempDir()
	dumped := make(chan string, 8)
	rec, err := hitch.Start(hitch.Options{
		Dir: dir, Threshold: 250 * time.Millisecond, StartUp: time.Millisecond, StartUpFrames: 5,
		OnReport: func(r *hitch.Report, err error) {
			if err != nil {
				t.Error(err)
				return
			}
			dumped <- r.Path()
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
	rec.Watch(e.Trace())
	var path string
	for path == "" {
		e.Frame()
		e.Trace().PlanSleep(4 * time.Millisecond)
		time.Sleep(4 * time.Millisecond)
		select {
		case path = <-dumped:
		default:
		}
	}
	rep := read(t, path)
	if rep.Engine != "real" || rep.What != "physics step" || rep.Phase != "step" || rep.Tick != 30 || rep.Took < 400 ||
		len(rep.Injected) != 1 || rep.Injected[0] != "step:400ms@30" {
		t.Errorf("%+v", rep)
	}
	file, err := os.Open(filepath.Join(dir, rep.Trace))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	events, err := trace.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for {
		event, err := events.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch event.Kind() {
		case trace.EventRegionBegin:
			seen[event.Region().Type] = true
		case trace.EventLog:
			seen[event.Log().Category+" "+event.Log().Message] = true
		}
	}
	// the region of the late step, and the number of the step's tick
	for _, want := range []string{"physics step", "render acquire", "tick 30"} {
		if !seen[want] {
			t.Errorf("no %s in the trace", want)
		}
	}
}

// snooze is an unplanned sleep.
func snooze(d time.Duration) { time.Sleep(d) }

// think and ponder are the code of the program.
func think(d time.Duration)  { ponder(d) }
func ponder(d time.Duration) { busy(d) }

// file is a part of the JSON file of a report.
type file struct {
	hitch.Report
	Phase  string `json:"phase"`
	Stacks []struct {
		Where string `json:"where"`
		By    string `json:"called_by"`
	} `json:"stacks"`
}

func read(t *testing.T, path string) (f file) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// verdict runs a loop in which f takes long from time to time. The loop runs until two
// conditions hold: a report has stacks that mostly name the function `where`, called by
// `by`, and the report has a verdict with these names. On an overloaded machine, the
// overload may explain the time.
func verdict(t *testing.T, f func(time.Duration), c engine.Config, limit time.Duration, where, by, says string) {
	t.Helper()
	found := make(chan *hitch.Report, 8)
	rec, err := hitch.Start(hitch.Options{Dir: t.TempDir(), Threshold: 100 * time.Millisecond, StartUp: time.Millisecond, StartUpFrames: 5,
		Every: time.Millisecond, OnReport: func(r *hitch.Report, _ error) { found <- r }})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	rec.Watch(e.Trace())
	var last file
	timeout := time.After(time.Minute)
	for n := 0; ; n++ {
		e.Frame()
		if n%60 == 59 && f != nil {
			f(400 * time.Millisecond)
		}
		if limit > 0 {
			e.Trace().PlanSleep(limit)
		}
		time.Sleep(4 * time.Millisecond)
		select {
		case r := <-found:
			last = read(t, r.Path())
			named := 0
			for _, s := range last.Stacks {
				if s.Where == where && s.By == by {
					named++
				}
			}
			busy := slices.Contains([]string{"processor", "gc", "scheduler"}, last.Suspect)
			if named > 0 && 2*named >= len(last.Stacks) && (busy || strings.Contains(last.Verdict, says)) {
				return
			}
		case <-timeout:
			if last.Verdict == "" {
				t.Fatal("no hitch")
			}
			t.Fatalf("%s: %s\n%+v", last.Suspect, last.Verdict, last.Stacks)
		default:
		}
	}
}

func TestTheVerdictOnAFrameNamesTheFunctionOfTheProgram(t *testing.T) {
	const snoozing, loop, thinking = "hitch_test.snooze", "hitch_test.verdict", "hitch_test.busy"
	for name, c := range map[string]struct {
		f               func(time.Duration)
		limit           time.Duration
		where, by, says string
	}{
		"a sleep":                  {snooze, 0, snoozing, loop, "waiting for the end of a sleep in hitch_test.snooze"},
		"a sleep beside a limiter": {snooze, 4 * time.Millisecond, snoozing, loop, "in a sleep in hitch_test.snooze, called by hitch_test.verdict, that was not planned or ended late"},
		"the program's own code":   {think, 4 * time.Millisecond, thinking, "hitch_test.think", "outside all phases, in hitch_test.busy, called by hitch_test.think"},
	} {
		verdict(t, c.f, engine.Config{Name: name}, c.limit, c.where, c.by, c.says)
	}
}

func TestTheVerdictOnAStepNamesTheCallbackAndNotItsHelper(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(world.ControllerFunc(chase))
		return nil
	}
	verdict(t, nil, engine.Config{Name: "chase", Setup: setup}, 4*time.Millisecond, "hitch_test.chase", "", "in controllers (hitch_test.chase)")
}

// chase is a controller.
func chase(w *world.World, _ float64) {
	if w.Tick()%60 == 59 {
		think(400 * time.Millisecond)
	}
}
