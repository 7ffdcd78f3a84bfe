package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/ui"
)

// The tests of this file check the pixels of the screen.

// pixels returns the pixels of a rectangle of the screen. A pixel has bytes for blue,
// green and red, and one more byte.
func (x *xserver) pixels(left, top, w, h int) []byte {
	x.t.Helper()
	b := make([]byte, 20)
	b[0], b[1] = 73, 2 // GetImage, as pixels
	order.PutUint32(b[4:], x.root)
	for i, n := range []int{left, top, w, h} {
		order.PutUint16(b[8+2*i:], uint16(n))
	}
	order.PutUint32(b[16:], 0xffffffff)
	x.write(b)
	return x.reply()[32:]
}

// shows reports whether a pixel has a colour.
func (x *xserver) shows(left, top int, c ui.Colour) bool {
	p := x.pixels(left, top, 1, 1)
	return p[0] == c[2] && p[1] == c[1] && p[2] == c[0]
}

// until waits until the screen shows something.
func (h *hand) until(what string, shown func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !shown(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("the screen does not show %s", what)
		}
	}
}

// property returns a property of the top window as text.
func (x *xserver) property(name string) string {
	x.t.Helper()
	b := []byte{15, 0, 0, 0, 0, 0, 0, 0} // QueryTree
	order.PutUint32(b[4:], x.root)
	x.write(b)
	children := x.reply()[32:]
	b = make([]byte, 8+(len(name)+3)&^3) // InternAtom
	b[0] = 16
	order.PutUint16(b[4:], uint16(len(name)))
	copy(b[8:], name)
	x.write(b)
	atom := order.Uint32(x.reply()[8:])
	for len(children) >= 4 {
		b = make([]byte, 24) // GetProperty
		b[0] = 20
		order.PutUint32(b[4:], order.Uint32(children))
		order.PutUint32(b[8:], atom)
		order.PutUint32(b[20:], 256)
		x.write(b)
		r := x.reply()
		if n := int(order.Uint32(r[16:])) * int(r[1]) / 8; n > 0 {
			return string(r[32 : 32+n])
		}
		children = children[4:]
	}
	return ""
}

func TestTheViewerOpensOnRainWithAHintAndFiguresComeWhenAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 1280, 720, 1, "")
	h.until("the hint", func() bool { return h.shows(picture.Margin+3, 720-picture.Margin-12, ui.Ground) })
	figures := func() bool { return h.shows(picture.Margin+3, picture.Margin+60, ui.Ground) }
	if figures() {
		t.Error("there are figures")
	}
	if class := h.property("WM_CLASS"); class != "halfstep\x00halfstep\x00" {
		t.Errorf("the class of the window is %q", class)
	}
	if icon := h.property("_NET_WM_ICON"); len(icon) < 100 {
		t.Errorf("the icon has %d bytes", len(icon))
	}
	h.key(symF12 - 9) // F3
	h.until("the figures", figures)
	if s := h.end(); s.Scene != "rain" || s.Used["metrics"] != 1 {
		t.Errorf("scene %s, used %v", s.Scene, s.Used)
	}
}

func TestARealPointerPansAndZoomsAndHomeShowsTheScenesOwnViewAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 1280, 720, 1, "-scene arch")
	h.both(' ', input.KeySpace)
	world := func() []byte { return h.pixels(0, 40, 900, 600) } // without notices
	h.until("a picture that rests", func() bool { a := world(); h.settle(); return bytes.Equal(a, world()) })
	home := world()
	for _, key := range []uint32{symHome, 'r'} {
		h.move(200, 200)
		h.button(3, true)
		h.move(420, 260)
		h.button(3, false)
		h.button(4, true) // the wheel
		h.button(4, false)
		h.until("another view", func() bool { return !bytes.Equal(home, world()) })
		if h.key(key); key == 'r' {
			h.settle()
			h.key(' ') // a restart goes on
			continue
		}
		h.until("the scene's own view", func() bool { return bytes.Equal(home, world()) })
	}
	if s := h.end(); s.Used["fit"] != 1 || s.Used["restart"] != 1 {
		t.Errorf("used %v", s.Used)
	}
}

func TestARealPointerTypesAValueAndTooltipsGoWithIt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 1280, 720, 1, "-scene drift")
	h.both(' ', input.KeySpace)
	kind := func(text string) {
		r := h.control("set speed")
		for range 2 {
			h.move(int(r.X+r.W-20), int(r.Y+6))
			h.button(1, true)
			h.button(1, false)
		}
		h.settle()
		for _, c := range text {
			h.key(uint32(c))
		}
		h.key(symReturn)
		h.settle()
	}
	kind("4")
	kind("99") // is refused
	pause := h.control("pause")
	below := func() []byte { return h.pixels(990, int(pause.Y+pause.H)+4, 250, 24) }
	h.move(600, 300)
	h.settle()
	before := below()
	h.move(int(pause.X+9), int(pause.Y+9))
	h.until("a tooltip", func() bool { return !bytes.Equal(before, below()) })
	h.move(600, 300)
	h.until("no tooltip", func() bool { return bytes.Equal(before, below()) })
	if s := h.end(); s.Parameters["speed"] != 4 || !strings.Contains(s.Scene, "drift") {
		t.Errorf("%s: %v", s.Scene, s.Parameters)
	}
}
