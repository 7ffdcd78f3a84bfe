package main

import (
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/draw"
)

var simulated = engine.Config{Time: engine.Time{Simulated: true}}

// asGame is the environment variable that makes this test binary run as the program.
const asGame = "HALFSTEP_TEST_AS_GAME"

func TestMain(m *testing.M) {
	if os.Getenv(asGame) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestEveryColourOfTheSceneIsInThePicture(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "game.png")
	cmd := exec.Command(self, "-frames", "60", "-screenshot", path)
	cmd.Env = append(os.Environ(), asGame+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if picture.Bounds() != image.Rect(0, 0, width, height) {
		t.Fatal(picture.Bounds())
	}
	pixels := map[[3]uint32]int{}
	for y := range height {
		for x := range width {
			r, g, b, _ := picture.At(x, y).RGBA()
			pixels[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	for _, c := range tints {
		if n := pixels[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; n < 500 {
			t.Errorf("%d pixels have the colour %v", n, c)
		}
	}
}

func TestWhatFallsOffIsForgotten(t *testing.T) {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	before := len(s.looks)
	s.drop(40, 0) // beside the ground
	screen := ebiten.NewImage(width, height)
	for range 300 {
		s.engine.Advance(time.Second / 60)
		s.draw(screen)
	}
	if n := len(s.looks); n != before {
		t.Errorf("%d looks, %d before", n, before)
	}
}

func TestTheCanvasAllocatesNothingOnceItHasDrawn(t *testing.T) {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	p, c, screen := draw.NewPainter(body2d.JointsLayer|body2d.ContactsLayer|body2d.VelocitiesLayer), newCanvas(), ebiten.NewImage(width, height)
	s.engine.SetDebugLayers(p.Layers)
	for range 90 {
		s.engine.Advance(time.Second / 60)
	}
	c.show(screen, p, s.engine)
	if n := testing.AllocsPerRun(50, func() { c.collect(p, s.engine) }); n != 0 || len(c.indices) < 1000 {
		t.Errorf("%v allocations for %d corners", n, len(c.indices))
	}
	t.Logf("with Ebitengine's own call: %v", testing.AllocsPerRun(50, func() { c.show(screen, p, s.engine) }))
}

func TestTheBodyUnderTheCursorIsWhereItIsDrawn(t *testing.T) {
	var placed ebiten.GeoM
	place(&placed, 3, 4)
	px, py := placed.Apply(0, 0)
	if x, y := toWorld(int(px), int(py)); x != 3 || y != 4 {
		t.Errorf("drawn at (%v, %v), which is (%v, %v) m", px, py, x, y)
	}
}

func TestTheSceneKeepsAllItsVariables(t *testing.T) {
	c := simulated
	c.Testing.SyncTest = 5
	s, err := newScene(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	for range 200 {
		s.engine.Advance(time.Second / 60)
		if err := s.engine.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}
