package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"halfstep/cmd/viewer/outfile"
)

// The layout of smoothness.json.
type (
	report struct {
		Traces []traceReport `json:"traces"`
	}
	traceReport struct {
		File      string   `json:"file"`
		Frames    int      `json:"frames"`
		Displayed bool     `json:"displayed"`         // Displayed says that the display times are known.
		Display   string   `json:"display,omitempty"` // the simulated display
		CostMS    float64  `json:"cost_ms"`
		Hz        float64  `json:"hz"`
		MaxSteps  int      `json:"max_steps"`
		Runs      []result `json:"runs"`
		Others    []result `json:"others"` // loops for comparison only
		Starts    []begun  `json:"starts,omitempty"`
	}
)

func writeReport(o *options, page []section) error {
	var rep report
	for _, s := range page {
		rep.Traces = append(rep.Traces, traceReport{
			File: s.Path, Frames: len(s.Start), Displayed: s.Displayed, Display: s.Display,
			CostMS: o.Cost.Seconds() * 1e3, Hz: o.Rate.Float(), MaxSteps: o.MaxSteps,
			Runs: s.Runs, Others: s.Others, Starts: s.Starts,
		})
	}
	data, err := json.MarshalIndent(rep, "", "\t")
	if err != nil {
		return err
	}
	if err := o.replace(resultsFile, append(data, '\n')); err != nil {
		return err
	}
	html, err := renderPage(o, page)
	if err != nil {
		return err
	}
	return o.replace(pageFile, html)
}

// These files of the folder are always written. With -svg there are more.
const resultsFile, pageFile = "smoothness.json", "index.html"

// checkFolder makes the folder and checks that the files can be written. It is
// called before the long part of the run.
func (o *options) checkFolder() error {
	return cmp.Or(os.MkdirAll(o.Dir, 0o777),
		outfile.Check(filepath.Join(o.Dir, resultsFile)), outfile.Check(filepath.Join(o.Dir, pageFile)))
}

// replace writes a file of the folder. After an error an older file of the same
// name still exists.
func (o *options) replace(name string, data []byte) error {
	return outfile.Replace(filepath.Join(o.Dir, name), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// InputText returns the input latency as text for tables.
func (r result) InputText() string {
	if r.Input == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", *r.Input)
}

// LagText returns the lag as text for tables.
func (r result) LagText() string { return r.unlessOwnSpeed(r.Lag) }

// LatencyText returns the latency as text for tables.
func (r result) LatencyText() string { return r.unlessOwnSpeed(r.Latency) }

func (r result) unlessOwnSpeed(ms float64) string {
	if r.ownSpeed {
		return "–"
	}
	return fmt.Sprintf("%.1f", ms)
}

func printTable(w io.Writer, s *section) {
	seen := ""
	if s.Display != "" {
		seen = ", on a simulated display: " + s.Display
	}
	if !s.Displayed {
		seen = ", no display times: a frame counts as seen when it ends"
	}
	fmt.Fprintf(w, "%s: %d frames%s\n", filepath.Base(s.Path), len(s.Start), seen)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "loop\tpacing\trms\tp99\tbackward\tstill\tlag\tlatency\tinput\twait\tdropped\theld\t")
	fmt.Fprintln(t, "\t\tms\tms\t\t\tms\tms\tms\tms\ts\t\t")
	for _, runs := range [][]result{s.Runs, s.Others} {
		for _, r := range runs {
			fmt.Fprintf(t, "%s\t%s\t%.2f\t%.2f\t%d\t%d\t%s\t%s\t%s\t%.1f\t%.3f\t%d\t\n", r.Loop, r.Pacing,
				r.RMS, r.P99, r.Backward, r.Still, r.LagText(), r.LatencyText(), r.InputText(), r.Wait, r.Dropped, r.Held)
		}
	}
	t.Flush()
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"base": filepath.Base}).Parse(pageText))

func renderPage(o *options, page []section) ([]byte, error) {
	type filled struct {
		*section
		Figures []figure
	}
	data := struct {
		CostMS, Hz float64
		MaxSteps   int
		Sections   []filled
	}{CostMS: o.Cost.Seconds() * 1e3, Hz: o.Rate.Float(), MaxSteps: o.MaxSteps}
	for i := range page {
		f, err := page[i].figures()
		if err != nil {
			return nil, err
		}
		if err := o.writeFigures(page[i].Path, f); err != nil {
			return nil, err
		}
		data.Sections = append(data.Sections, filled{&page[i], f})
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, data)
	return b.Bytes(), err
}

// figureName returns the prefix of the file names of a trace's figures.
func figureName(trace string) string {
	return strings.TrimSuffix(filepath.Base(trace), filepath.Ext(trace))
}

// writeFigures writes each figure to a file of its own, if -svg is set.
func (o *options) writeFigures(trace string, figures []figure) error {
	if !o.SVG {
		return nil
	}
	for i, f := range figures {
		if err := o.replace(fmt.Sprintf("%s-%d.svg", figureName(trace), i+1), []byte(withLegend(string(f.SVG), f.Legend))); err != nil {
			return err
		}
	}
	return nil
}

// withLegend puts the legend above a plot. On the page the legend is not part of
// the plot.
func withLegend(svg string, legend []key) string {
	const tall, perLetter = 26, 7
	var row strings.Builder
	x := 50
	for _, l := range legend {
		fmt.Fprintf(&row, `<text x="%d" y="-9" font-family="sans-serif" font-size="13" fill="%s">%s</text>`, x, l.Colour, template.HTMLEscapeString(l.Name))
		x += perLetter*len(l.Name) + 24
	}
	svg = strings.Replace(svg, fmt.Sprintf(`height="%dpt" viewBox="0 0 %d %d"`, height, width, height),
		fmt.Sprintf(`height="%dpt" viewBox="0 %d %d %d" style="background:white"`, height+tall, -tall, width, height+tall), 1)
	return strings.Replace(svg, "</svg>", row.String()+"</svg>", 1)
}
