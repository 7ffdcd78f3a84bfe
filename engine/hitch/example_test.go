package hitch_test

import (
	"log"
	"time"

	"halfstep/engine"
	"halfstep/engine/hitch"
)

// The folder hitches gets a report of each frame and step that takes longer than 20 ms.
// (This example is not run, because the late frames differ from run to run.)
func ExampleRecorder() {
	rec, err := hitch.Start(hitch.Options{
		Dir: "hitches", Threshold: 20 * time.Millisecond,
		OnReport: func(r *hitch.Report, err error) {
			if err != nil {
				log.Print(err)
				return
			}
			log.Printf("%s (%s)", r.Verdict, r.Path())
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	e, err := engine.New(engine.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	rec.Watch(e.Trace())
	for range 1000 { // until the window closes
		e.Frame()
	}
}
