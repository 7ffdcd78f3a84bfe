package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
)

func TestThePlotKeepsTheLastTicksAlsoInThePast(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.panel.Page = panel.BodyPage
	ball, _ := b.Stage.Player.Find("ball1")
	b.Inspect.Choose(ball)
	b.Inspect.Quantity = 1
	b.run(200)
	at := b.Stage.View.Tick
	was, kept := b.Sampler.Sampled(at-100, 1)
	if _, ok := b.Sampler.Sampled(at, 1); !ok || !kept {
		t.Fatalf("tick %d is not kept", at)
	}
	b.press(input.KeySpace)
	b.Travel.Seek(at - 100)
	b.run(3)
	b.Inspect.Inspected().Samples.Note(at-100, uint64(ball), play.Values{1: float64(float32(was))}) // the picture of the replay shows this value
	if now, ok := b.Sampler.Sampled(at-100, 1); !ok || now != was {
		t.Errorf("tick %d: height %v, in the past %v", at-100, was, now)
	}
	if _, ok := b.Sampler.Sampled(at, 1); !ok {
		t.Error("the present is forgotten")
	}
}

func TestAValueIsPlottedOverThePastOfABodyThatIsChosenThere(t *testing.T) {
	b := newPanelBench(t, "-scene cradle -sync lockstep")
	b.panel.Page = panel.BodyPage
	b.run(200)
	b.press(input.KeySpace)
	at := b.Stage.View.Tick
	b.Travel.Seek(at - 100)
	b.run(3)
	ball, _ := b.Stage.Player.Find("ball1")
	b.Inspect.Choose(ball)
	b.Inspect.Quantity = play.PlotsJointForce
	b.press(input.KeySpace)
	b.run(60)
	if x, ok := b.Sampler.Sampled(at-60, play.PlotsJointForce); !ok || x <= 0 {
		t.Errorf("the joint of the ball pulls with %v N, %v", x, ok)
	}
	if _, ok := b.Sampler.Sampled(at-60, play.PlotsAll); ok {
		t.Error("a value is noted that nobody has asked for")
	}
}

func TestAPlotIsExportedWithAllThatWasNoted(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newPanelBench(t, "-scene cradle -sync lockstep")
	b.picture.Surface = input.Surface{W: 1280, H: 720, Scale: 1}
	b.panel.Page = panel.BodyPage
	ball, _ := b.Stage.Player.Find("ball1")
	b.Inspect.Choose(ball)
	b.run(100)
	b.click("export plot")
	b.until("it is written", func() bool { return b.picture.Notice.Text == "wrote halfstep-001.csv" })
	data, _ := os.ReadFile("halfstep-001.csv")
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) < 95 || lines[0]+"\n" != files.CsvHeader || !strings.HasPrefix(lines[60], "6") || strings.Count(lines[60], ",") != 9 {
		t.Errorf("%d lines, such as %q", len(lines), lines[min(60, len(lines)-1)])
	}
}

func TestARunWritesTheValuesOfEachTick(t *testing.T) {
	needDisplay(t)
	path := filepath.Join(t.TempDir(), "ball.csv")
	args := []string{"-hidden", "-size", "64x64", "-clock", "fixed:60", "-scene", "cradle", "-ticks", "90", "-track", "ball1", "-plot"}
	if status, _, complaint := viewerRun(t, nil, append(args, path)...); status != exitOK {
		t.Fatalf("status %d: %s", status, complaint)
	}
	data, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 91 || !strings.HasPrefix(lines[90], "90,1.5,") || strings.Contains(lines[90], ",,") {
		t.Errorf("%d lines, the last of which is %q", len(lines), lines[len(lines)-1])
	}
	if status, _, _ := viewerRun(t, nil, append(args, "ball.txt")...); status != exitUsage {
		t.Errorf("a text file: status %d", status)
	}
}

func TestThePlotIsOneLineWhereFramesShowSeveralSteps(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.picture.Surface = input.Surface{W: 1280, H: 720, Scale: 1}
	b.panel.Page = panel.BodyPage
	ball, _ := b.Stage.Player.Find("ball1")
	b.Inspect.Choose(ball)
	b.run(3)
	for range 80 {
		b.Travel.Steps = 5
		b.run(1)
	}
	r, ok := b.panel.Ui.Find("plot")
	if !ok {
		t.Fatal("there is no plot")
	}
	from, to := float32(math.MaxFloat32), float32(0)
	wide := float32(0)
	for _, s := range b.panel.Ui.Shapes() {
		if s.Kind == ui.Line && s.Colour == ui.Accent && s.Y > r.Y+r.H {
			from, to = min(from, s.X, s.W), max(to, s.X, s.W)
			wide += max(s.X, s.W) - min(s.X, s.W)
		}
	}
	if to-from < .9*r.W || wide < .99*(to-from) {
		t.Errorf("of %v, lines cover %v from %v to %v", r.W, wide, from, to)
	}
}
