package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"path/filepath"
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
		data.Sections = append(data.Sections, filled{&page[i], f})
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, data)
	return b.Bytes(), err
}
