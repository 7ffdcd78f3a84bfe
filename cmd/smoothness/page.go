package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"base": filepath.Base}).Parse(pageText))

// renderPage returns index.html, with one section per trace.
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
		f, err := o.figures(&page[i])
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

// writeFigures writes each figure to a file, if the flags ask for it.
func (o *options) writeFigures(trace string, figures []figure) error {
	if !o.SVG {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(trace), filepath.Ext(trace))
	for i, f := range figures {
		path := filepath.Join(o.Dir, fmt.Sprintf("%s-%d.svg", name, i+1))
		if err := os.WriteFile(path, []byte(withLegend(string(f.SVG), f.Legend)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// withLegend puts the legend above a plot. In the page it is not part of the plot.
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
