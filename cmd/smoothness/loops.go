package main

import (
	"halfstep/buffer"
	"halfstep/internal/baseline"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
)

type view = scene.View[point]

// player plays frame times through a loop.
type player struct {
	frame func(ns int64) *view
	order func(frame int) // gives the next frame a command
	close func()

	dropped func() float64 // s
	held    func() uint64  // nil if the loop holds no frames
	// wait returns for how long, in ms, the steps of the last frame delayed its
	// drawing; nil if they never do.
	wait func(v *scene.View[point]) float64
}

// candidate is a loop with its settings.
type candidate struct {
	Loop, Pacing string
	start        func(o *options, d *drift, r *recording) (*player, error)
	// Extra marks loops that are there only for comparison.
	Extra bool
	// OwnSpeed marks a loop that steps once a frame however long that takes, so that
	// its time has nothing to do with the clock's.
	OwnSpeed bool
}

// candidates are all loops that are played, in the order of the tables.
func candidates() []candidate {
	fromBaseline := func(name, loop string, waits, extra bool) candidate {
		return candidate{name, "off", func(o *options, d *drift, _ *recording) (*player, error) { return startBaseline(o, d, loop, waits) }, extra, loop == "fixed"}
	}
	threaded := func(sync renderloop.Sync, pacing string) candidate {
		return candidate{sync.String(), pacing, func(o *options, d *drift, r *recording) (*player, error) {
			if pacing == "told" {
				return startTold(o, d, r, sync)
			}
			p, _, err := startLoop(o, d, sync, pacing == "auto")
			return p, err
		}, false, false}
	}
	return []candidate{
		fromBaseline("none", "free", true, false),
		fromBaseline("single", "single", true, false),
		fromBaseline("naive", "naive", false, false),
		threaded(renderloop.Pipelined, "off"),
		threaded(renderloop.Pipelined, "auto"),
		threaded(renderloop.Pipelined, "told"),
		threaded(renderloop.Lockstep, "off"),
		threaded(renderloop.Lockstep, "auto"),
		threaded(renderloop.Lockstep, "told"),
		threaded(renderloop.Auto, "off"),
		threaded(renderloop.Auto, "auto"),
		threaded(renderloop.Auto, "told"),
		{"ahead", "off", func(o *options, d *drift, _ *recording) (*player, error) { return startAhead(o, d) }, true, false},
		fromBaseline("fixed", "fixed", true, true),
		fromBaseline("variable", "variable", true, true),
		fromBaseline("semi-fixed", "semi-fixed", true, true),
	}
}

func (o *options) cost(tick uint64) int64 {
	if o.costs != nil {
		return o.costs(tick)
	}
	return int64(o.Cost)
}

// allSteps is the wait of a frame for all its steps.
func (o *options) allSteps(v *scene.View[point]) float64 {
	return float64(v.Steps) * o.Cost.Seconds() * 1e3
}

func startBaseline(o *options, d *drift, name string, waits bool) (*player, error) {
	l, err := baseline.New(name, physicsloop.Simulation[point, none, order](d), buffer.NewLink[point, none, order](), baseline.Config{
		Rate: o.Rate, MaxSteps: o.MaxSteps, StepCost: o.cost, Simulated: true,
	})
	if err != nil {
		return nil, err
	}
	p := &player{frame: l.Frame, order: func(frame int) { l.Send(order{frame}) }, close: l.Close, dropped: l.Dropped}
	if waits {
		p.wait = o.allSteps
	}
	return p, nil
}

type loop = renderloop.Loop[point, none, order]

func startLoop(o *options, d *drift, sync renderloop.Sync, pacing bool) (*player, *loop, error) {
	link := buffer.NewLink[point, none, order]()
	l, err := renderloop.New(link, renderloop.Config{
		Rate: o.Rate, MaxSteps: o.MaxSteps, Sync: sync, Pacing: pacing,
		Simulated: true, StepCost: o.cost,
	})
	if err != nil {
		return nil, nil, err
	}
	physics := physicsloop.Start(d, link, physicsloop.Options{})
	p := &player{
		frame:   l.Frame,
		order:   func(frame int) { l.Send(buffer.Scheduled[order]{Command: order{frame}}) },
		close:   physics.Close,
		dropped: l.Clock().Ledger().Dropped,
		held:    func() uint64 { return l.Stats().Held },
	}
	switch sync {
	case renderloop.Lockstep:
		p.wait = o.allSteps
	case renderloop.Auto:
		p.wait = func(*scene.View[point]) float64 { return float64(l.Stats().WaitNanos) / 1e6 }
	}
	return p, l, nil
}
