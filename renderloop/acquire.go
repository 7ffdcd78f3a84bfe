package renderloop

import (
	"halfstep/buffer"
	"halfstep/renderloop/scene"
)

// Acquire moves the newest pair of states and everything that came with it from
// the link to the view, and reports false if the view has it already. It leaves
// alone what a loop decides: Alpha, Instant, Smoothing, Steps, Held, Fresh.
func Acquire[S, E, C any](link *buffer.Link[S, E, C], v *scene.View[S]) bool {
	return acquireUpTo(link, v, ^uint64(0))
}

// acquireUpTo is Acquire of the pair that ends at the tick, or the nearest there
// is; see buffer.Exchange.AcquireUpTo.
func acquireUpTo[S, E, C any](link *buffer.Link[S, E, C], v *scene.View[S], tick uint64) bool {
	x := link.Exchange
	if !x.AcquireUpTo(tick) {
		return false
	}
	cur, prev := x.Current(), x.Previous()
	for r := link.Structure.Peek(cur.Structure); r != nil; r = link.Structure.Peek(cur.Structure) {
		v.Scene.Apply(r)
		link.Structure.Take()
	}
	v.Prev, v.Cur = prev.States, cur.States
	v.PrevSerial, v.CurSerial = prev.Serial, cur.Serial
	v.Tick, v.Revision = cur.Tick, cur.Revision
	v.Counts = cur.Counts
	v.StepNanos = cur.StepNanos
	v.Debug = nil
	if cur.HasDebug {
		v.Debug = &cur.Debug
	}
	if cur.Dt > 0 {
		v.Dt = cur.Dt
	}
	return true
}
