package world

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"halfstep/buffer"
	"halfstep/internal/plain"
	"halfstep/internal/schedule"
)

// Scheduled returns the queue in which the loop keeps the commands that wait for their tick.
// The world owns it because snapshots hold these commands.
func (s *Simulation) Scheduled() *schedule.Queue[Command] { return &s.world.waiting }

// takeScheduled takes the commands that wait. Questions are left out: their answers belong to
// whoever asked.
func (s *Snapshot) takeScheduled(waiting *schedule.Queue[Command]) {
	list := waiting.Append(s.scheduled[:0])
	list = slices.DeleteFunc(list, func(o buffer.Scheduled[Command]) bool { return o.Command.Op == opInspect })
	s.scheduled = cleared(s.scheduled, list)
}

// resumeScheduled queues the commands of a snapshot again, each for a tick that is later by so
// many ticks. The handles that they have chosen are not handed out to others.
func (w *World) resumeScheduled(s *Snapshot, later uint64) {
	w.waiting = schedule.Queue[Command]{}
	for _, o := range s.scheduled {
		o.At += later
		switch c := &o.Command; c.Op {
		case opCreateBody:
			w.handles.reserve(chosen{body: uint64(c.Body), shape: uint64(c.Shape)})
			if c.BodyDef != nil { // Shape is the handle of the first of its shapes
				w.handles.reserve(chosen{shape: uint64(c.Shape) + max(uint64(len(c.BodyDef.Shapes)), 1) - 1})
			}
		case opCreateShape:
			w.handles.reserve(chosen{shape: uint64(c.Shape)})
		case opCreateJoint:
			w.handles.reserve(chosen{joint: uint64(c.Joint)})
		}
		w.waiting.Add(o)
	}
}

// appendScheduled appends commands as bytes, which can not hold functions.
func appendScheduled(b []byte, list []buffer.Scheduled[Command]) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for i := range list {
		if list[i].Command.Do != nil {
			return b, fmt.Errorf("world: bytes can not hold the function given to Do that waits for tick %d: use DoNamed", list[i].At)
		}
		b = plain.AppendFields(b, reflect.ValueOf(&list[i]).Elem())
	}
	return b, nil
}

// readScheduled reads what appendScheduled wrote. The numbers in it are not checked: a command
// that can not be carried out is rejected at its tick. Only handles must leave room for others
// that are counted on from them.
func readScheduled(r *plain.Reader) []buffer.Scheduled[Command] {
	r.Memory = 1<<16 + plain.MemoryPerByte*int64(len(r.Rest))
	var list []buffer.Scheduled[Command]
	plain.ReadFields(r, reflect.ValueOf(&list).Elem())
	for i := range list {
		c := &list[i].Command
		r.Want(c.Op != opInspect && (uint64(c.Body)|uint64(c.Shape)|uint64(c.Joint))&(madeHere>>1) == 0)
	}
	return list
}
