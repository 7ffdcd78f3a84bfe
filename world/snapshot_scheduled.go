package world

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"halfstep/buffer"
	"halfstep/internal/binenc"
	"halfstep/internal/schedule"
)

// Scheduled returns the queue of the commands that wait for their tick. The loop uses the queue. The world owns it, because
// snapshots contain these commands.
func (s *Simulation) Scheduled() *schedule.Queue[Command] { return &s.world.waiting }

// takeScheduled copies the waiting commands. It leaves out questions and orders, which belong to the run that gave them.
func (s *Snapshot) takeScheduled(waiting *schedule.Queue[Command]) {
	list := waiting.Append(s.scheduled[:0])
	list = slices.DeleteFunc(list, func(o buffer.Scheduled[Command]) bool { return private{}.OnlyReads(&o.Command) })
	s.scheduled = cleared(s.scheduled, list)
}

// resumeScheduled puts the commands of a snapshot into the queue again. It adds later to the tick of each command, and
// reserves the handles that the commands have chosen.
func (w *World) resumeScheduled(s *Snapshot, later uint64) {
	w.waiting = schedule.Queue[Command]{}
	for _, o := range s.scheduled {
		o.At += later
		switch c := &o.Command; c.Op {
		case opCreateBody:
			w.handles.reserve(chosen{body: uint64(c.Body), shape: uint64(c.Shape)})
			if c.BodyDef != nil { // in this command, Shape is the handle of the body's first shape
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

// appendScheduled appends commands as bytes. It returns an error for a function, which bytes cannot contain.
func appendScheduled(b []byte, list []buffer.Scheduled[Command]) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for i := range list {
		if list[i].Command.Do != nil {
			return b, fmt.Errorf("world: bytes cannot hold the function of Do that waits for tick %d: use DoNamed", list[i].At)
		}
		b = binenc.AppendFields(b, reflect.ValueOf(&list[i]).Elem())
	}
	return b, nil
}

// readScheduled reads the bytes of appendScheduled. It does not check the commands, because an invalid command is rejected
// at its tick. It only checks that handles are not too high, because new handles must be higher.
func readScheduled(r *binenc.Reader) []buffer.Scheduled[Command] {
	r.Memory = 1<<16 + binenc.MemoryPerByte*int64(len(r.Rest))
	var list []buffer.Scheduled[Command]
	binenc.ReadFields(r, reflect.ValueOf(&list).Elem())
	for i := range list {
		c := &list[i].Command
		r.Expect(c.Op != opInspect && (uint64(c.Body)|uint64(c.Shape)|uint64(c.Joint))&(madeHere>>1) == 0)
	}
	return list
}
