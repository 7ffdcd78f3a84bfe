package hitch

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"ms": milli, "percent": percent, "count": func(x float64) string { return count(uint64(max(x, 0))) },
	"mib": func(bytes float64) float64 { return bytes / (1 << 20) }, "class": timeline.Class,
	"css":     func(colour string) template.CSS { return template.CSS(colour) },
	"heading": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
}).Parse(pageText))

// pageData is the data of page.html.
type pageData struct {
	*report
	Parts    []part        // the phases and stages that took at least a thousandth of the time
	Lanes    template.HTML // an SVG picture of both threads during the hitch
	Times    template.HTML // an SVG picture of the frame and step times
	Commands []command
	Colours  map[string]string // the colour of each phase and stage, by name
}

// part is a phase of the late step or frame, or a stage of the phase Step.
type part struct {
	timeline.Part
	Took, Percent float64 // the time in ms, and the percentage of the whole step or frame
}

// Stage reports whether the part is a stage.
func (p part) Stage() bool { return p.Part.Stage != timing.NoStage }

type command struct{ What, Line string }

// page returns the report as an HTML page.
func (r *report) page(t *timeline.Tape) ([]byte, error) {
	frames, steps := t.Spans(phase.Render), t.Spans(phase.Physics)
	d := pageData{
		report: r, Commands: r.commands(), Colours: timeline.CSSColours(),
		Lanes: template.HTML(lanes(frames, steps, r.span.Start, r.span.End)),
		Times: template.HTML(times(frames, steps, r.span.Start, r.span.End, r.Threshold)),
	}
	for p := range timeline.Parts(&r.span) {
		if took := float64(p.Took) / 1e6; took >= r.Took/1000 {
			d.Parts = append(d.Parts, part{p, took, min(100*took/max(r.Took, 1e-3), 100)})
		}
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, d)
	return b.Bytes(), err
}

// commands returns command lines that show more about this hitch, or about similar hitches.
func (r *report) commands() (list []command) {
	if r.Trace != "" {
		list = append(list, command{"The execution trace: what every goroutine did. Look for the region “" + r.Loop + " " + r.Phase + "”.", "go tool trace " + r.Trace})
		list = append(list, command{"What goroutines waited for in it.", "go tool trace -pprof=sync " + r.Trace + " > sync && go tool pprof -http=: sync"})
	}
	focus := "loop=" + r.Loop
	if r.Phase != phase.Other.String() {
		focus = "phase=" + r.Phase // the phase belongs to only one thread
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
