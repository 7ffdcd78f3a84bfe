package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/test/norace"
)

func begunFrames(t *testing.T, args ...string) map[string]begun {
	t.Helper()
	dir := t.TempDir()
	status, _, errs := call(t, append([]string{"-o", dir, "-cost", "500us"}, args...)...)
	if status != 0 {
		t.Fatal(errs)
	}
	data, err := os.ReadFile(filepath.Join(dir, "smoothness.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	all := map[string]begun{}
	for _, b := range r.Traces[0].Starts {
		name := b.Loop
		if b.Late {
			name += " late"
		}
		all[name] = b
	}
	return all
}

func TestALateStartBringsCommandsToLightSoonerAndChangesNothingElse(t *testing.T) {
	norace.Only(t)
	for _, c := range []struct {
		display string
		most    float64 // most is the greatest time from a command to light, in ms, in Lockstep and RunAhead.
	}{{"60", 5.5}, {"144", 5}, {"60,deadline=4ms,late=40ms", 10}, {"48-144", 6}} {
		got := begunFrames(t, "-start", c.display, "-work", "2ms", write(t, "t.txt", plain(4000)))
		for _, loop := range []string{"pipelined", "lockstep", "run-ahead"} {
			once, late := got[loop], got[loop+" late"]
			if late.Command >= once.Command || late.Input >= once.Input || late.Age > once.Age+.1 || late.Missed > 4 || late.Others > once.Others {
				t.Errorf("%s, %s: at once %+v, late %+v", c.display, loop, once, late)
			}
			if (loop == "lockstep" || loop == "run-ahead") && late.Command > c.most {
				t.Errorf("%s, %s: %.2f ms from a command to light, want at most %.1f", c.display, loop, late.Command, c.most)
			}
		}
	}
}

func TestWithoutReportsALateStartChangesNothing(t *testing.T) {
	got := begunFrames(t, "-start", "60,feedback=none", "-work", "2ms", write(t, "t.txt", plain(300)))
	for _, loop := range []string{"pipelined", "lockstep", "run-ahead"} {
		once, late := got[loop], got[loop+" late"]
		if late.Late = false; late != once {
			t.Errorf("%s: at once %+v, late %+v", loop, once, late)
		}
	}
}

func TestCostsOfFramesComeFromTheTrace(t *testing.T) {
	one := "Application,MsBetweenPresents,MsInPresentAPI,MsUntilRenderComplete\n" + strings.Repeat("a,16.6,11.6,12.6\n", 200)
	two := "Application,FrameTime,CPUBusy,GPUTime\n" + strings.Repeat("a,16.6,5,1\n", 200)
	for _, trace := range []string{one, two} {
		r, err := readRecording(write(t, "t.csv", trace), "")
		if err != nil {
			t.Fatal(err)
		}
		if c := r.known[100]; len(r.known) != 200 || c.cpu < 4.99e6 || c.cpu > 5.01e6 || c.gpu < .99e6 || c.gpu > 1.01e6 {
			t.Errorf("%+v", c)
		}
	}
	status, _, errs := call(t, "-o", t.TempDir(), "-start", "60", write(t, "t.txt", plain(200)))
	if oneLine(t, errs, "smoothness: "); status != 1 {
		t.Errorf("a trace without costs: status %d, %q", status, errs)
	}
}
