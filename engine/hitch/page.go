package hitch

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"slices"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/engine/spans"
	"halfstep/internal/timeline"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"ms": milli, "percent": percent, "count": func(x float64) string { return count(uint64(max(x, 0))) },
	"mib": func(bytes float64) float64 { return bytes / (1 << 20) }, "heading": heading, "class": timeline.Class,
}).Parse(pageText))

var colours = func() map[string]template.CSS {
	m := map[string]template.CSS{}
	for name, c := range timeline.CSSColours() {
		m[name] = template.CSS(c)
	}
	return m
}()

type pageData struct {
	*Report
	Parts    []part // phases and stages, longest first
	Lanes    template.HTML
	Times    template.HTML
	Commands []command
	Colours  map[string]template.CSS // by phase and stage
}

type part struct {
	Name  string
	Class string // of its colour
	Took  float64
	Share float64
	Stage bool
}

// Percent is the share in percent.
func (p part) Percent() float64 { return 100 * p.Share }

type command struct{ What, Line string }

func (r *Report) page(t *spans.Tape) ([]byte, error) {
	frames, steps := t.Spans(phase.Render), t.Spans(phase.Physics)
	d := pageData{
		Report: r, Parts: r.parts(), Commands: r.commands(), Colours: colours,
		Lanes: template.HTML(lanes(frames, steps, r.start, r.end)),
		Times: template.HTML(times(frames, steps, r.start, r.end, r.Threshold)),
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, d)
	return b.Bytes(), err
}

func heading(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func (r *Report) parts() (list []part) {
	for _, p := range r.partsOf(r.Phases, false) {
		list = append(list, p)
		if p.Name == phase.Step.String() {
			list = append(list, r.partsOf(r.Stages, true)...)
		}
	}
	return list
}

func (r *Report) partsOf(from map[string]float64, stage bool) (list []part) {
	for name, took := range from {
		if took >= r.Took/1000 { // less is nothing to see
			list = append(list, part{name, timeline.Class(name), took, min(took/max(r.Took, 1e-3), 1), stage})
		}
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Name, b.Name)) })
	return list
}

// commands are the command lines that show more of this hitch, and of hitches of
// its kind.
func (r *Report) commands() (list []command) {
	if r.Trace != "" {
		list = append(list, command{"The execution trace: what every goroutine did. Look for the region “" + r.Loop + " " + r.Phase + "”.", "go tool trace " + r.Trace})
		list = append(list, command{"What goroutines waited for in it.", "go tool trace -pprof=sync " + r.Trace + " > sync && go tool pprof -http=: sync"})
	}
	list = append(list, command{"Both threads on a timeline. Open the file at https://ui.perfetto.dev; it stays on your machine.", r.Perfetto})
	focus := "loop=" + r.Loop
	if r.Phase != phase.Other.String() {
		focus = "phase=" + r.Phase // which only one of the threads has
	}
	list = append(list, command{"A flame graph of this phase, while the program runs with -pprof :6060.", "go tool pprof -http=: -tagfocus=" + focus + " 'http://localhost:6060/debug/pprof/profile?seconds=10'"})
	if r.BlackBox != "" {
		list = append(list, command{"The last seconds again: N makes a step, ; and ' go back and forth. Open it with your own program if its world is not a scene of the viewer's.", "viewer -replay " + r.BlackBox})
	}
	if r.Suspect == "gc" {
		list = append(list, command{"Who allocates.", "go tool pprof -http=: -sample_index=alloc_space http://localhost:6060/debug/pprof/allocs"})
	}
	return list
}
