package scenes

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

var update = flag.Bool("update", false, "write the figures of docs")

// The soft stepper gives the same bits on every machine, and so does a figure that is
// made with it.
func TestAFigureOfThePagesIsItsScene(t *testing.T) {
	for name, f := range map[string]struct {
		ticks  int
		layers body2d.Layers
	}{
		"arch":      {120, body2d.ContactsLayer | body2d.SleepLayer},
		"breakable": {90, body2d.JointsLayer | body2d.VelocitiesLayer},
	} {
		of, ok := Lookup(name)
		if !ok {
			t.Fatalf("there is no scene %s", name)
		}
		config := of.Config()
		config.World.Stepper, config.Time.Simulated = world.SoftStep, true
		e, err := engine.New(config)
		if err != nil {
			t.Fatal(err)
		}
		p := draw.NewPainter(f.layers)
		e.SetDebugLayers(f.layers)
		for e.View().Tick < uint64(f.ticks) {
			e.Advance(time.Second / 60)
		}
		const w, h = 640, 360
		s := draw.NewSVG(scene.Camera{}.Fit(scene.BoundsOf(e.View()), w, h), w, h, p.Theme.Background)
		p.Draw(s, e.View())
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		file := filepath.Join("..", "..", "..", "docs", "scene-"+name+".svg")
		if *update {
			if err := os.WriteFile(file, s.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if has, err := os.ReadFile(file); err != nil || !bytes.Equal(has, s.Bytes()) {
			t.Errorf("%s is not what the scene shows (%v): run scripts/make/figures", file, err)
		}
	}
}
