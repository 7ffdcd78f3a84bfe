package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/world"
)

// router decides where the world's events go:
//
//   - Events of due ticks are delivered to the render side. If comparesDue is set, they first wait in
//     deferred, until settle compares them with other events.
//   - Events of predicted steps wait in deferred, and are delivered when their tick is due. If early is
//     set, they are delivered with the prediction, and retracted if they then do not happen.
//   - When a rollback runs ticks again, report delivers the differences between the old and the new
//     events.
//   - No events are delivered during a seek, in a sync test, or without a listener.
type router struct {
	out         buffer.Outbox[world.Event] // the world writes to it; its field Events is delivered or deferred
	delivered   *buffer.Log[world.Event]   // the log of the render side
	deferred    *buffer.Log[world.Event]
	alone       *buffer.Log[body2d.Structure] // takes the structure records if there is no render side, and is not read; nil otherwise
	comparesDue bool                          // events of due ticks are compared in deferred before they are delivered
	batch       []world.Event                 // the result of settle; the memory is reused

	early bool        // events of predicted steps are delivered with the prediction
	ticks []earlyTick // the predicted ticks whose events were delivered early

	was, now map[exports.EventKey]int // scratch of report: how many old and how many new events have each key
}

type earlyTick struct {
	tick   uint64
	events []world.Event
}

// Start gives the world the outbox for its events. The loop calls Start once, before all other methods.
func (l *Log) Start(out *buffer.Outbox[world.Event]) { l.Simulation.Start(l.events.start(out)) }

// start returns the outbox to which the world writes. The parameter out is the outbox of the render side, or
// nil.
func (r *router) start(out *buffer.Outbox[world.Event]) *buffer.Outbox[world.Event] {
	r.deferred = buffer.NewLog[world.Event]()
	if out == nil {
		r.alone = buffer.NewLog[body2d.Structure]()
		out = &buffer.Outbox[world.Event]{Structure: r.alone, Events: r.deferred}
	}
	r.out, r.delivered = *out, out.Events
	r.direct()
	return &r.out
}

// carry carries out an entry and delivers its events. The events of a step must be delivered before
// the loop captures the step.
func (l *Log) carry(e *Entry) {
	l.do(e)
	l.events.settle(e.stepsTo())
}

// confirm gives the sinks an entry that a prediction has already carried out, with its events.
func (l *Log) confirm(e *Entry, events []world.Event) {
	l.keep(e)
	l.events.deliver(e.stepsTo(), events)
}

// direct makes the world's events go to delivered, or to deferred if comparesDue is set.
func (r *router) direct() {
	if r.out.Events = r.delivered; r.comparesDue {
		r.out.Events = r.deferred
	}
}

// hold makes the world's events go to deferred until direct is called.
func (r *router) hold() { r.out.Events = r.deferred }

// take removes the events from deferred without delivering them.
func (r *router) take(to []world.Event) []world.Event {
	r.deferred.Trim()
	return drain(to, r.deferred)
}

// drop drops the events in deferred, and the structure records that nobody reads.
func (r *router) drop() {
	r.deferred.DropOldest(r.deferred.Count(), 0)
	if r.alone != nil {
		r.alone.DropOldest(r.alone.Count(), 0)
	}
}

// settle delivers the events in deferred and returns them. Without comparesDue it returns none. The
// parameter step is the tick that becomes due with the events, or 0.
func (r *router) settle(step uint64) []world.Event {
	if !r.comparesDue {
		return nil
	}
	r.batch = r.take(cleared(r.batch))
	r.deliver(step, r.batch)
	return r.batch
}

// deliver delivers events of due ticks. It omits events that were already delivered with the
// prediction of the step.
func (r *router) deliver(step uint64, events []world.Event) {
	i := r.find(step)
	if i < 0 {
		r.report(nil, events)
		return
	}
	known := r.ticks[i].events
	r.report(known, events)
	clear(known)
	last := len(r.ticks) - 1
	copy(r.ticks[i:], r.ticks[i+1:])
	r.ticks[last].events = known[:0] // memory for another tick
	r.ticks = r.ticks[:last]
}

func (r *router) find(tick uint64) int {
	return slices.IndexFunc(r.ticks, func(t earlyTick) bool { return t.tick == tick })
}

// predicted delivers the events of a predicted step, if early is set.
func (r *router) predicted(tick uint64, events []world.Event) {
	if !r.early {
		return
	}
	i := r.find(tick)
	if i < 0 {
		i = len(r.ticks)
		r.ticks = slices.Grow(r.ticks, 1)[:i+1]
		r.ticks[i].tick, r.ticks[i].events = tick, r.ticks[i].events[:0]
	}
	known := &r.ticks[i]
	r.report(known.events, events)
	clear(known.events)
	known.events = append(known.events[:0], events...)
}

// retract retracts all events that were delivered early and are not due, because their predictions
// are dropped.
func (r *router) retract() {
	for i := range r.ticks {
		r.report(r.ticks[i].events, nil)
		clear(r.ticks[i].events)
	}
	r.ticks = r.ticks[:0]
}

// report delivers the differences between old and new events. First it delivers an EventRetracted for
// each old event that has no equal new event. Then it delivers each new event that has no equal old event.
func (r *router) report(was, now []world.Event) {
	if len(was) > 0 {
		if r.was == nil {
			r.was, r.now = map[exports.EventKey]int{}, map[exports.EventKey]int{}
		}
		for i := range was {
			r.was[private.EventKey(&was[i])]++
		}
		for i := range now {
			r.now[private.EventKey(&now[i])]++
		}
		for _, e := range was {
			if key := private.EventKey(&e); r.now[key] > 0 {
				r.now[key]--
				continue
			}
			e.Kind, e.Was = world.EventRetracted, e.Kind
			r.delivered.Append(e)
		}
	}
	for i := range now {
		if len(was) > 0 {
			if key := private.EventKey(&now[i]); r.was[key] > 0 {
				r.was[key]--
				continue
			}
		}
		r.delivered.Append(now[i])
	}
	clear(r.was)
	clear(r.now)
}

// drain takes all records out of a log that belongs to one goroutine.
func drain[T any](to []T, log *buffer.Log[T]) []T {
	for r := log.Peek(log.Count()); r != nil; r = log.Peek(log.Count()) {
		to = append(to, *r)
		log.Take()
	}
	return to
}
