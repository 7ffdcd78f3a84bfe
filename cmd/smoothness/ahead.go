package main

import (
	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// ahead is a loop that a reader of the article proposed. It always demands one
// step more than is due, so that both states around the shown instant exist
// without waiting. It shows the same as Lockstep as long as a step takes less
// than its own dt and no frame takes longer than a step. Commands take effect
// one step later. It exists to be measured, on a simulated clock only.
type ahead struct {
	link  *buffer.Link[point, none, order]
	clock *clock.Clock
	cost  int64 // ns, of a step

	now      int64
	free     int64   // when physics has done all demanded steps
	demanded uint64  // tick
	done     uint64  // tick, by now
	finish   []int64 // when each tick after done is done
	sent     uint64  // commands
	view     scene.View[point]
	held     uint64
}

func startAhead(o *options, d *drift) (*player, error) {
	clock, err := clock.New(o.Rate)
	if err != nil {
		return nil, err
	}
	if err := clock.SetMaxSteps(o.MaxSteps); err != nil {
		return nil, err
	}
	a := &ahead{link: buffer.NewLink[point, none, order](), clock: clock, cost: int64(o.Cost)}
	a.link.Demand.SetLimit(0)
	physics := physicsloop.Start(d, a.link, physicsloop.Options{})
	return &player{
		frame:   a.Frame,
		order:   func(frame int) { a.link.Commands.Append(buffer.Scheduled[order]{Command: order{frame}}) },
		close:   physics.Close,
		dropped: clock.Ledger().Dropped,
		held:    func() uint64 { return a.held },
	}, nil
}

// Frame advances the clock by ns nanoseconds and returns what to draw.
func (a *ahead) Frame(ns int64) *scene.View[point] {
	a.now += max(ns, 0)
	for len(a.finish) > 0 && a.finish[0] <= a.now {
		a.finish = a.finish[1:]
		a.done++
	}
	a.link.Demand.SetLimit(a.done)
	a.link.Await(a.done, 0)

	backlog := a.demanded - a.done
	a.clock.Advance(ns, backlog-min(backlog, 1)) // one step is ahead, not late
	due := a.clock.Demand()
	within := func() float64 { return float64(int64(due)-int64(a.view.Tick)) + a.clock.Remainder().Fraction() }
	// A tick that is early is taken only when the current pair has been shown.
	if within() >= 1 || a.view.Cur == nil {
		renderloop.Acquire(a.link, &a.view)
	}
	t := within()
	if t > 1 && a.view.Tick > 0 {
		a.held++
	}
	a.view.Alpha = float32(min(max(t, 0), 1))
	a.ask(due + 1)
	return &a.view
}

// ask posts a demand for the ticks up to tick, with the commands of this frame.
func (a *ahead) ask(tick uint64) {
	commands := a.link.Commands.Count()
	if tick == a.demanded && commands == a.sent {
		return
	}
	a.link.Demand.Post(buffer.Frame{After: a.demanded, Demand: tick, Dt: a.clock.Dt(), Commands: commands})
	a.sent = commands
	for ; a.demanded < tick; a.demanded++ {
		a.free = max(a.free, a.now) + a.cost
		a.finish = append(a.finish, a.free)
	}
}
