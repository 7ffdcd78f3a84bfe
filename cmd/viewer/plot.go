package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
)

// plot has what the chosen body did, by tick: a ring that the past fills again.
type plot struct {
	what   int // an index of plotted
	ticks  [plotLong]uint64
	values [plotLong][len(plotted)]float32
}

const (
	plotLong = 360 // ticks
	mostHole = 30  // ticks that a line of the plot leads over
)

var plotted = [...]string{"speed, m/s", "height, m", "energy, J"}

// note keeps the values of a tick.
func (p *plot) note(tick uint64, values [len(plotted)]float32) {
	p.ticks[tick%plotLong], p.values[tick%plotLong] = tick, values
}

// follow takes the values of the two ticks that a frame shows.
func (p *plot) follow(e *player, n *inspector) {
	view := e.View()
	slot, there := view.Scene.Slot(uint64(n.body))
	if !there || slot >= len(view.Cur) {
		return
	}
	cur := &view.Cur[slot]
	if slot < len(view.Prev) && view.Tick > 0 {
		if prev := &view.Prev[slot]; prev.Flags()&body2d.Alive != 0 && prev.Generation() == cur.Generation() {
			p.note(view.Tick-1, n.values(prev))
		}
	}
	p.note(view.Tick, n.values(cur))
}

// values are those of plotted.
func (n *inspector) values(s *body2d.State) [len(plotted)]float32 {
	v2, w := float64(s.VX*s.VX+s.VY*s.VY), float64(s.Omega)
	energy := 0.0
	if n.info.known {
		energy = (n.info.body.Mass*v2 + n.info.body.Inertia*w*w) / 2
	}
	return [...]float32{float32(math.Sqrt(v2)), s.Y, float32(energy)}
}

// layPlot draws the last seconds up to the tick that is shown.
func (v *viewer) layPlot(c *ui.Context) {
	p := &v.inspect.plot
	if i, changed := c.Choice("plot", c.Next(ui.RowHeight), "plot", "", plotted[:], p.what); changed {
		p.what = i
	}
	const tall = 56
	r := c.Next(tall + 20)
	if !c.Sees(r) {
		return
	}
	box := r.Top(tall)
	c.Box(box, 3, ui.Edge)
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	now := v.inspected().View().Tick
	has := func(back uint64) (x float32, ok bool) {
		if back > now || p.ticks[(now-back)%plotLong] != now-back {
			return 0, false
		}
		return p.values[(now-back)%plotLong][p.what], true
	}
	for back := range uint64(plotLong) {
		if x, ok := has(back); ok {
			low, high = min(low, x), max(high, x)
		}
	}
	if low > high {
		return
	}
	span := max(high-low, 1e-3)
	place := func(back uint64, x float32) (float32, float32) {
		return box.X + box.W*(1-float32(back)/plotLong), box.Y + 3 + (box.H-6)*(1-(x-low)/span)
	}
	// A frame that shows several steps leaves ticks out: a line leads over these.
	last, x0, y0 := uint64(plotLong), float32(0), float32(0)
	for back := range uint64(plotLong) {
		x, ok := has(back)
		if !ok || back == last+1 { // half as many lines will do
			continue
		}
		x1, y1 := place(back, x)
		if last < back && back-last <= mostHole {
			c.Line(x0, y0, x1, y1, 1.3, ui.Accent)
		}
		last, x0, y0 = back, x1, y1
	}
	f := v.figures.line
	c.Pair(r, "in the last 360 ticks", f().num(float64(low), 2).str(" … ").num(float64(high), 2).s())
}
