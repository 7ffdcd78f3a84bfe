package hitch

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/timing"
	"halfstep/world"
)

// written makes a hitch with everything that a page can show. It returns the
// hitch's files by suffix.
func written(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	return writtenWith(t, dir, name, []stackSeen{{60, "step", running, "<script>alert(1)</script>", "<i>x</i>", []string{"a.b", "<b>c</b>"}, nil}})
}

func writtenWith(t *testing.T, dir, name string, stacks []stackSeen) map[string]string {
	t.Helper()
	e, err := engine.New(engine.Config{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 40 {
		e.Frame()
		e.Trace().EnterPhase(phase.Draw)
		time.Sleep(3 * time.Millisecond)
	}
	o := Options{Dir: dir, Threshold: 60 * time.Millisecond, MaxDumps: 5, MaxBytes: 1 << 20, tracer: &tape{size: 10}}
	if err := o.defaults(); err != nil {
		t.Fatal(err)
	}
	r := newRecorder(o)
	r.Watch(e.Trace())
	r.sample()
	s := timing.Span{Thread: phase.Physics, Number: 30, End: timing.Now()}
	s.Start = s.End - int64(80*time.Millisecond)
	s.Spent[phase.Step.Index()], s.Spent[phase.Controllers.Index()] = 70e6, 10e6
	s.Stages[timing.Solve], s.Stages[timing.NarrowPhase] = 50e6, 20e6
	s.Work = timing.Work{Bodies: 1000, Contacts: 2000, Islands: 1, Largest: 999}
	if stacks[0].Phase == phase.Step.String() {
		s.Usage = timing.Usage{Known: true, CPU: 79e6}
	}
	by := r.watched[0]
	by.stacks[unit{phase.Physics, 30}] = stacks
	rep, err := r.write(&late{by: by, Late: engine.Late{Span: s}}, []late{{by: by, Late: engine.Late{Span: timing.Span{Thread: phase.Render, Number: 31, End: 90e6}}}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"": rep.Verdict}
	base := strings.TrimSuffix(rep.Path(), jsonSuffix)
	for _, suffix := range []string{traceSuffix, jsonSuffix, pageSuffix} {
		data, err := os.ReadFile(base + suffix)
		if err != nil {
			t.Fatal(err)
		}
		files[suffix] = string(data)
	}
	files["path"] = base
	return files
}

func TestTheReportAndItsPageSayTheSame(t *testing.T) {
	files := written(t, t.TempDir(), "pile")
	verdict := files[""]
	if !strings.Contains(verdict, "solving contacts and joints of one island of 999 bodies") {
		t.Error(verdict)
	}
	var rep report
	if err := json.Unmarshal([]byte(files[jsonSuffix]), &rep); err != nil || rep.Verdict != verdict {
		t.Errorf("%v: %s", err, rep.Verdict)
	}
	if rep.Stages["solve"] != 50 || rep.Work.Largest != 999 || rep.Thread.Ran != 79 || len(rep.Stacks) != 1 || len(rep.Suspects) < 4 {
		t.Errorf("%+v", rep)
	}
	sum := func(parts map[string]float64) (all float64) {
		for _, ms := range parts {
			all += ms
		}
		return all
	}
	if sum(rep.Phases) != rep.Took || sum(rep.Stages) != rep.Phases["step"] {
		t.Errorf("%v ms: the phases are %v, the stages of the step %v", rep.Took, rep.Phases, rep.Stages)
	}
	if !strings.Contains(files[pageSuffix], verdict[1:]) { // on the page the text begins with a capital letter
		t.Errorf("the page does not say %s", verdict)
	}
}

func TestThePageRefersToNothingAndEscapesEverything(t *testing.T) {
	page := written(t, t.TempDir(), `</style><script src="http://x.test/a.js">`)[pageSuffix]
	for _, bad := range []string{`<script`, ` src="`, `href="http`, `url(`, `@import`, `<b>c`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(page, "&lt;script") {
		t.Error("the engine's name is missing")
	}
	if m := regexp.MustCompile(`ZgotmplZ|%!|<no value>|NaN`).FindString(page); m != "" {
		t.Errorf("the page has %s", m)
	}
}

func TestTheFilesOfAHitchGoTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boxes := t.TempDir()
		r := startWith(t, Options{MaxDumps: 2, Every: time.Second}, engine.Config{
			Name: "rig", History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{Dir: boxes, Scene: "pile"}},
		})
		other := filepath.Join(r.dir, "mine.rec")
		if err := os.WriteFile(other, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		for tick := range uint64(5) {
			r.engine.Advance(time.Second / 60) // on Windows, Frame does not use the time of the bubble
			r.pass(2 * time.Second)
			r.step(tick+1, 80*millisecond)
			r.pass(2 * time.Second)
		}
		entries, _ := os.ReadDir(r.dir)
		sets := map[string]map[string]bool{}
		for _, e := range entries {
			base, suffix, _ := strings.Cut(e.Name(), ".")
			if sets[base] == nil {
				sets[base] = map[string]bool{}
			}
			sets[base]["."+suffix] = true
		}
		if !sets["mine"][".rec"] {
			t.Error("another file of the folder has gone")
		}
		delete(sets, "mine")
		if len(sets) != 2 {
			t.Errorf("%v", sets)
		}
		for base, has := range sets {
			if len(has) != len(suffixes) {
				t.Errorf("%s has %v of %v", base, has, suffixes)
			}
			var rep report
			data, err := os.ReadFile(filepath.Join(r.dir, base+jsonSuffix))
			if err == nil {
				err = json.Unmarshal(data, &rep)
			}
			if err != nil || rep.BlackBox != base+boxSuffix {
				t.Errorf("%v: the report names %q (%s)", err, rep.BlackBox, rep.BlackBoxError)
			}
			rec, err := engine.OpenRecording(filepath.Join(r.dir, rep.BlackBox))
			if err != nil || rec.Scene != "pile" || rec.Cut {
				t.Errorf("%v: %+v", err, rec)
			}
			page, err := os.ReadFile(filepath.Join(r.dir, rep.Page))
			if err != nil || !strings.Contains(string(page), "viewer -replay "+rep.BlackBox) {
				t.Errorf("%v: the page does not say how to replay %s", err, rep.BlackBox)
			}
		}
		if entries, _ := os.ReadDir(boxes); len(entries) != 0 {
			t.Errorf("the engine has written %v as well", entries)
		}
		if w := r.Written(); len(w) != 2 || w[0].Time.Before(w[1].Time) || !strings.Contains(w[0].Verdict, "tick 5 ") {
			t.Errorf("%+v", w)
		}
	})
}

// silent is a state that cannot be saved.
type silent struct{}

func (silent) AppendBinary([]byte) ([]byte, error) { return nil, errors.New("not now") }
func (silent) UnmarshalBinary([]byte) error        { return nil }

func TestAReportWithoutARecordingSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startWith(t, Options{}, engine.Config{
			Name: "rig", History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{Dir: t.TempDir()}},
			Setup: func(w *world.World) error { w.AddState(silent{}); return nil },
		})
		r.engine.Frame()
		r.pass(time.Second)
		r.step(1, 80*millisecond)
		r.pass(time.Second)
		list := r.reports() // and no recording
		if len(list) != 1 || list[0].BlackBox != "" || list[0].BlackBoxError == "" {
			t.Fatalf("%+v", list)
		}
		page, err := os.ReadFile(filepath.Join(r.dir, list[0].Page))
		if err != nil || !strings.Contains(string(page), "There is no recording: ") {
			t.Errorf("%v: the page does not say why there is no recording", err)
		}
	})
}
