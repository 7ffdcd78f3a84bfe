package main

import (
	"errors"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"

	"halfstep/engine"
	"halfstep/world"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

// the size of the picture, and the part of the world that it shows
const (
	width, height = 960, 540
	perMetre      = 40.0 // pixels
	bottom        = -1.5 // height of the lower edge, m
)

func toWorld(px, py int) (x, y float64) {
	return (float64(px) - width/2) / perMetre, bottom + (height-float64(py))/perMetre
}

// place moves a drawing, whose lengths are in m, to the point (x, y) of the world. The
// result is in pixels.
func place(m *ebiten.GeoM, x, y float64) {
	m.Translate(x, y-bottom)
	m.Scale(perMetre, -perMetre) // y points up in the world, and down in the picture
	m.Translate(width/2, height)
}

// look is the game's data for drawing a body. The engine does not use it.
type look struct {
	image *ebiten.Image
	w, h  float64 // half the width and half the height, m
	tint  color.RGBA
}

var tints = []color.RGBA{{222, 122, 92, 255}, {120, 168, 120, 255}, {106, 142, 190, 255}, {214, 180, 92, 255}, {160, 128, 184, 255}}

type scene struct {
	engine    *engine.Engine
	looks     map[world.Body]look
	random    *rand.Rand
	box, ball *ebiten.Image
}

func newScene(c engine.Config) (*scene, error) {
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	s := &scene{engine: e, looks: map[world.Body]look{}, random: rand.New(rand.NewPCG(1, 2))}
	s.box, s.ball = sprites()
	ground := color.RGBA{70, 78, 92, 255}
	plain := ebiten.NewImage(256, 256) // without a border, because a border would be stretched with the picture
	plain.Fill(color.White)
	for _, g := range []struct{ x, y, w, angle float64 }{{0, -.5, 16, 0}, {-8, 3, 4, -.35}, {8, 3, 4, .35}} {
		def := world.BodyDef{Position: world.Vec{X: g.x, Y: g.y}, Angle: g.angle, Shapes: []world.ShapeDef{world.Box(g.w, .4)}}
		s.looks[e.CreateBody(def)] = look{plain, g.w, .4, ground}
	}
	for i := range 24 {
		s.drop(float64(i%6)*1.6-4, 4+1.7*float64(i/6))
	}
	return s, nil
}

func sprites() (box, ball *ebiten.Image) {
	const size = 64
	edge := color.RGBA{160, 160, 160, 255}
	box = ebiten.NewImage(size, size)
	box.Fill(edge)
	vector.FillRect(box, 3, 3, size-6, size-6, color.White, false)
	ball = ebiten.NewImage(size, size)
	vector.FillCircle(ball, size/2, size/2, size/2, edge, true)
	vector.FillCircle(ball, size/2, size/2, size/2-3, color.White, true)
	vector.StrokeLine(ball, size/2, size/2, size, size/2, 3, edge, true)
	return box, ball
}

func (s *scene) drop(x, y float64) {
	w, h := .3+.3*s.random.Float64(), .3+.3*s.random.Float64()
	l, shape := look{s.box, w, h, tints[s.random.IntN(len(tints))]}, world.Box(w, h)
	if s.random.IntN(3) == 0 {
		l.image, l.h, shape = s.ball, w, world.Circle(w)
	}
	def := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: y}, Angle: s.random.Float64(), Shapes: []world.ShapeDef{shape}}
	s.looks[s.engine.CreateBody(def)] = l
}

func (s *scene) draw(screen *ebiten.Image) {
	for ev := range s.engine.Events() {
		if ev.Kind == world.BodyRemoved {
			delete(s.looks, ev.A)
		}
	}
	screen.Fill(color.RGBA{28, 31, 38, 255})
	for b, at := range s.engine.Poses() {
		l := s.looks[b]
		if at.Y < -20 {
			s.engine.DestroyBody(b)
		}
		size := float64(l.image.Bounds().Dx())
		var o ebiten.DrawImageOptions
		o.GeoM.Translate(-size/2, -size/2)
		o.GeoM.Scale(2*l.w/size, -2*l.h/size)
		o.GeoM.Rotate(at.Angle)
		place(&o.GeoM, at.X, at.Y)
		o.ColorScale.ScaleWithColor(l.tint)
		o.Filter = ebiten.FilterLinear
		screen.DrawImage(l.image, &o)
	}
}

func save(path string, picture *ebiten.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}
