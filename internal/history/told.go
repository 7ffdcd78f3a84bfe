package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/internal/bridge"
	"halfstep/world"
)

// told passes events on to the render side, where those of predicted steps are to come
// with the prediction (Options.EventsAtOnce). What turns out not to have happened is
// retracted, when its tick is predicted again or becomes due.
type told struct {
	out    *buffer.Log[world.Event] // or nil: events wait until they are due
	queue  *buffer.Log[world.Event] // of what is due, on its way to out
	batch  []world.Event            // scratch
	ticks  []toldTick               // that are not due
	differ difference
}

type toldTick struct {
	tick   uint64
	events []world.Event
}

// start returns where events of due ticks go.
func (t *told) start(out *buffer.Outbox[world.Event]) *buffer.Outbox[world.Event] {
	t.out, t.queue = out.Events, buffer.NewLog[world.Event]()
	return &buffer.Outbox[world.Event]{Structure: out.Structure, Events: t.queue}
}

// pass passes on what has happened. step is the tick that has become due with it, or 0.
func (t *told) pass(step uint64) {
	if t.out == nil {
		return
	}
	clear(t.batch)
	t.queue.Trim()
	t.batch = drain(t.batch[:0], t.queue)
	i := t.find(step)
	if i < 0 {
		t.differ.report(t.out, nil, t.batch)
		return
	}
	known := t.ticks[i].events
	t.differ.report(t.out, known, t.batch)
	clear(known)
	last := len(t.ticks) - 1
	copy(t.ticks[i:], t.ticks[i+1:])
	t.ticks[last].events = known[:0] // memory for another tick
	t.ticks = t.ticks[:last]
}

func (t *told) find(tick uint64) int {
	return slices.IndexFunc(t.ticks, func(u toldTick) bool { return u.tick == tick })
}

// predict passes on what happened in a predicted step.
func (t *told) predict(tick uint64, events []world.Event) {
	if t.out == nil {
		return
	}
	i := t.find(tick)
	if i < 0 {
		i = len(t.ticks)
		t.ticks = slices.Grow(t.ticks, 1)[:i+1]
		t.ticks[i].tick, t.ticks[i].events = tick, t.ticks[i].events[:0]
	}
	known := &t.ticks[i]
	t.differ.report(t.out, known.events, events)
	clear(known.events)
	known.events = append(known.events[:0], events...)
}

// retract takes back what is not due: nothing is predicted any more.
func (t *told) retract() {
	for i := range t.ticks {
		t.differ.report(t.out, t.ticks[i].events, nil)
		clear(t.ticks[i].events)
	}
	t.ticks = t.ticks[:0]
}

// difference tells how what happened differs from what was told before.
type difference struct{ was, now map[bridge.EventKey]int }

// report passes on first what did not happen, and then what is new.
func (d *difference) report(out *buffer.Log[world.Event], was, now []world.Event) {
	if len(was) > 0 {
		if d.was == nil {
			d.was, d.now = map[bridge.EventKey]int{}, map[bridge.EventKey]int{}
		}
		for i := range was {
			d.was[inside.EventKey(&was[i])]++
		}
		for i := range now {
			d.now[inside.EventKey(&now[i])]++
		}
		for _, e := range was {
			if key := inside.EventKey(&e); d.now[key] > 0 {
				d.now[key]--
				continue
			}
			e.Kind, e.Was = world.EventRetracted, e.Kind
			out.Append(e)
		}
	}
	for _, e := range now {
		if len(was) > 0 {
			if key := inside.EventKey(&e); d.was[key] > 0 {
				d.was[key]--
				continue
			}
		}
		out.Append(e)
	}
	clear(d.was)
	clear(d.now)
}
