package main

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"halfstep/engine"
)

// the part of the world that the picture shows
const (
	visible = 24.0 // width of the picture, m
	bottom  = -1.5 // height of the lower edge, m
)

// page is the canvas and its content. It runs on the only thread of the page.
type page struct {
	*scene
	canvas, context, status js.Value
	frames, drawn           int // if frames is greater than 0, time is simulated and the page stops after so many frames
	post                    string
	next                    js.Func
	since                   time.Time // when the line below the picture was last written
	shown                   int       // frames since then
	work                    time.Duration
}

func main() {
	document := js.Global().Get("document")
	p := &page{canvas: document.Call("getElementById", "world"), status: document.Call("getElementById", "status")}
	p.context = p.canvas.Call("getContext", "2d")
	query, _ := url.ParseQuery(strings.TrimPrefix(js.Global().Get("location").Get("search").String(), "?"))
	p.frames, _ = strconv.Atoi(query.Get("frames"))
	p.post = query.Get("post")
	var err error
	if p.scene, err = newScene(engine.Config{Time: engine.Time{Simulated: p.frames > 0}}); err != nil {
		p.say(err.Error())
		return
	}
	p.listen(document)
	p.next = js.FuncOf(func(js.Value, []js.Value) any { p.draw(); return nil })
	p.since = time.Now()
	p.request()
	select {} // the callbacks go on
}

func (p *page) request()        { js.Global().Call("requestAnimationFrame", p.next) }
func (p *page) say(line string) { p.status.Set("textContent", line) }

// draw draws a frame. The browser calls it once for each picture on the screen.
func (p *page) draw() {
	began := time.Now()
	if p.frames > 0 {
		p.engine.Advance(time.Second / 60)
	} else {
		p.engine.Frame()
	}
	w, h := p.canvas.Get("width").Float(), p.canvas.Get("height").Float()
	c, scale := p.context, w/visible
	c.Call("setTransform", 1, 0, 0, 1, 0, 0)
	c.Set("fillStyle", "#1c1f26")
	c.Call("fillRect", 0, 0, w, h)
	p.frame(func(l look, x, y, angle float64) {
		sin, cos := math.Sincos(angle)
		sin, cos = sin*scale, cos*scale // y points up in the world, and down on the canvas
		c.Call("setTransform", cos, -sin, -sin, -cos, w/2+x*scale, h-(y-bottom)*scale)
		c.Set("fillStyle", l.colour)
		c.Call("beginPath")
		if l.round {
			c.Call("arc", 0, 0, l.w, 0, 2*math.Pi)
		} else {
			c.Call("rect", -l.w, -l.h, 2*l.w, 2*l.h)
		}
		c.Call("fill")
		if l.round { // a spoke makes the rotation visible
			c.Set("fillStyle", "#1c1f26")
			c.Call("fillRect", 0, -.08*l.w, .85*l.w, .16*l.w)
		}
	})
	p.work += time.Since(began)
	p.drawn++
	if err := p.engine.Failure(); err != nil {
		p.say(err.Error())
		return
	}
	if p.drawn == p.frames {
		p.end()
		return
	}
	p.report()
	p.request()
}

// end prints the hash of the world. With the query post=PATH it also sends the
// hash to the server, in the first line, and the picture in the second, as a
// data URL.
func (p *page) end() {
	tick, hash := p.hash()
	line := fmt.Sprintf("tick %d hash %016x", tick, hash)
	p.say(line)
	if p.post != "" {
		body := line + "\n" + p.canvas.Call("toDataURL").String()
		js.Global().Call("fetch", p.post, map[string]any{"method": "POST", "body": body})
	}
}

// report shows the cost of frames once a second.
func (p *page) report() {
	p.shown++
	if past := time.Since(p.since); p.frames == 0 && past >= time.Second {
		p.say(fmt.Sprintf("%.0f frames a second; steps and drawing take %.2f ms of each", float64(p.shown)/past.Seconds(), p.work.Seconds()*1e3/float64(p.shown)))
		p.since, p.shown, p.work = time.Now(), 0, 0
	}
}

// listen connects the input to the scene.
func (p *page) listen(document js.Value) {
	p.canvas.Call("addEventListener", "pointerdown", js.FuncOf(func(_ js.Value, args []js.Value) any {
		scale := visible / p.canvas.Get("clientWidth").Float()
		p.drop(args[0].Get("offsetX").Float()*scale-visible/2, bottom+(p.canvas.Get("clientHeight").Float()-args[0].Get("offsetY").Float())*scale)
		return nil
	}))
	document.Call("addEventListener", "keydown", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].Get("key").String() == " " {
			p.engine.SetPaused(!p.engine.Paused())
			args[0].Call("preventDefault")
		}
		return nil
	}))
}
