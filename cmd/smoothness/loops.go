package main

import (
	"fmt"
	"math"

	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
	"halfstep/test/baseline"
	"halfstep/test/simdisplay"
)

type view = scene.View[point]

// player is a loop that plays a trace.
type player struct {
	frame func(ns int64) *view // frame returns the picture of the next frame, ns nanoseconds after the frame before.
	order func()               // order sends a command with the next frame.
	close func()

	dropped func() float64 // s
	held    func() uint64  // held returns the number of frames that stood still. It is nil for a loop that has no such frames.
	// wait returns how long, in ms, the steps of the last frame delayed its drawing. It is nil if
	// they never do.
	wait func(v *scene.View[point]) float64
}

// candidate is a loop to be measured.
type candidate struct {
	Loop, Pacing string // Pacing is off, auto, or told. With told the pacing is auto and the loop gets reports on its frames.
	start        func(o *options, d *drift, r *recording) (*player, error)
	// Extra marks loops that are played only for comparison.
	Extra bool
	// OwnSpeed marks a loop that steps once per frame, whatever the frame time is. Its time does
	// not follow the clock.
	OwnSpeed bool
}

// candidates returns all loops, in the order of the tables.
func candidates() []candidate {
	// For the parameters, see startBaseline (waits) and candidate.Extra.
	fromBaseline := func(name, loop string, waits, extra bool) candidate {
		return candidate{name, "off", func(o *options, d *drift, _ *recording) (*player, error) { return startBaseline(o, d, loop, waits) }, extra, loop == "fixed"}
	}
	threaded := func(sync renderloop.Sync, pacing string) candidate {
		return candidate{sync.String(), pacing, func(o *options, d *drift, r *recording) (*player, error) {
			if pacing == "told" || sync == renderloop.RunAhead {
				return startTold(o, d, r, sync, pacing != "off")
			}
			p, _, err := startLoop(o, d, sync, pacing == "auto")
			return p, err
		}, false, false} // neither Extra nor OwnSpeed
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
		threaded(renderloop.RunAhead, "off"),
		threaded(renderloop.RunAhead, "auto"),
		{"ahead", "off", func(o *options, d *drift, _ *recording) (*player, error) { return startAhead(o, d) }, true, false},
		fromBaseline("fixed", "fixed", true, true),
		fromBaseline("variable", "variable", true, true),
		fromBaseline("semi-fixed", "semi-fixed", true, true),
	}
}

// cost returns the simulated cost of a step in ns.
func (o *options) cost(tick uint64) int64 {
	if o.costs != nil {
		return o.costs(tick)
	}
	return int64(o.Cost)
}

// allSteps returns how long a frame waits for all of its steps, in ms.
func (o *options) allSteps(v *scene.View[point]) float64 {
	return float64(v.Steps) * o.Cost.Seconds() * 1e3
}

// startBaseline starts a loop of package baseline. The parameter waits says whether the loop's
// frames wait for their steps.
func startBaseline(o *options, d *drift, name string, waits bool) (*player, error) {
	l, err := baseline.New(name, physicsloop.Simulation[point, none, order](d), buffer.NewLink[point, none, order](), baseline.Config{
		Rate: o.Rate, MaxSteps: o.MaxSteps, StepCost: o.cost, Simulated: true,
	})
	if err != nil {
		return nil, err
	}
	p := &player{frame: l.Frame, order: func() { l.Send(order{}) }, close: l.Close, dropped: l.Dropped}
	if waits {
		p.wait = o.allSteps
	}
	return p, nil
}

type loop = renderloop.Loop[point, none, order]

// startLoop starts a loop of package renderloop that gets no reports on its frames.
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
		order:   func() { l.Send(buffer.Scheduled[order]{}) },
		close:   physics.Close,
		dropped: l.Clock().Ledger().Dropped,
		held:    func() uint64 { return l.Stats().Held },
	}
	switch sync {
	case renderloop.Lockstep:
		p.wait = o.allSteps
	case renderloop.RunAhead:
		p.wait = func(*scene.View[point]) float64 { return float64(l.Stats().WaitNanos) / 1e6 }
	}
	return p, l, nil
}

// ahead is a loop that a reader of the article has proposed. It always demands one step more
// than is due, so that both states around the shown instant exist without waiting. It shows the
// same as Lockstep if a step takes less than its own dt and no frame takes longer than a step.
// Commands take effect one step later than in Lockstep. It runs on a simulated clock only.
type ahead struct {
	link  *buffer.Link[point, none, order]
	clock *clock.Clock
	cost  int64 // ns, of a step

	now      int64   // ns since the start
	free     int64   // free is when physics has done all demanded steps, in ns.
	demanded uint64  // the last tick demanded
	done     uint64  // done is the last tick that is done at this moment.
	finish   []int64 // finish is when each demanded tick after done is done, in ns.
	sent     uint64  // sent is the number of commands that physics has received.
	view     scene.View[point]
	held     uint64 // held is the number of frames that stood still because the next step was not done.
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
	a.link.Demand.SetLimit(0) // physics may step as far as the simulated time allows
	physics := physicsloop.Start(d, a.link, physicsloop.Options{})
	return &player{
		frame:   a.Frame,
		order:   func() { a.link.Commands.Append(buffer.Scheduled[order]{}) },
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
	a.link.Await(a.done, 0) // 0 means that Await waits for the tick only, not for a number of frames

	backlog := a.demanded - a.done
	a.clock.Advance(ns, backlog-min(backlog, 1)) // one step is demanded early, so it does not count as late
	due := a.clock.Demand()
	// how far the shown instant is from the first of the view's two states to the second, from 0 to
	// 1
	within := func() float64 { return float64(int64(due)-int64(a.view.Tick)) + a.clock.Remainder().Fraction() }
	// take the early tick only when the instant has passed the newer of the two states
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

// ask demands a tick, and records when physics will have done the steps to it.
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

// toldAfter is the time between the display of a frame and the report on the frame, in s.
const toldAfter = .0005

// showOn replaces the recorded display times by those of a simulated display. The frames then
// start as in the recording.
func (r *recording) showOn(spec string) error {
	d, err := simdisplay.Parse(spec)
	if err != nil {
		return err
	}
	n := len(r.Start)
	presents := make([]float64, n)
	for i := range presents {
		if i+1 < n {
			presents[i] = r.Start[i+1] * 1e9
		} else {
			presents[i] = presents[i-1] + float64(r.Frame[i])
		}
		if i > 0 {
			presents[i] = max(presents[i], presents[i-1]) // the recorder's clock may have been set back
		}
	}
	seen := d.Show(presents)
	r.told = d.Tell(presents, seen, 1)
	count := 0
	for i, v := range seen {
		if r.Seen[i] = v / 1e9; !math.IsNaN(v) {
			count++
		}
	}
	if count < minFrames {
		return fmt.Errorf("%s: display %s shows only %d frames: at least %d are needed", r.Path, spec, count, minFrames)
	}
	r.Displayed, r.Display = true, spec
	return nil
}

// tell makes the reports for a loop from the recorded display times.
func (r *recording) tell() {
	if !r.Displayed {
		return
	}
	at := 0.
	for i, v := range r.Seen {
		report := present.Report{Frame: uint64(i + 1), Seen: present.NeverSeen, Quality: present.VerticalBlank}
		if !math.IsNaN(v) {
			report.Seen = int64(math.Round(v * 1e9))
		} else {
			v = r.Start[min(i+2, len(r.Start)-1)]
		}
		at = max(at, v+toldAfter)
		r.told = append(r.told, simdisplay.Told{At: at * 1e9, Report: report})
	}
}

// startTold starts a loop of package renderloop that gets reports of when its frames were seen.
func startTold(o *options, d *drift, r *recording, sync renderloop.Sync, pacing bool) (*player, error) {
	p, l, err := startLoop(o, d, sync, pacing)
	if err != nil {
		return nil, err
	}
	told, frame, play := r.told, 0, p.frame
	p.frame = func(ns int64) *view {
		for len(told) > 0 && told[0].At <= r.Start[frame]*1e9 {
			l.Presented(told[0].Report)
			told = told[1:]
		}
		frame++
		return play(ns)
	}
	return p, nil
}
