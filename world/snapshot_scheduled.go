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

// Scheduled is of [physicsloop.Scheduler]: a snapshot has the commands that wait for
// their tick.
func (s *Simulation) Scheduled() *schedule.Queue[Command] { return &s.world.waiting }

// takeScheduled takes the commands that wait. Questions stay with who asked them.
func (s *Snapshot) takeScheduled(w *World) {
	list := w.waiting.Append(s.scheduled[:0])
	list = slices.DeleteFunc(list, func(o buffer.Scheduled[Command]) bool { return o.Command.Op == opInspect })
	s.scheduled = cleared(s.scheduled, list)
}

// resumeScheduled has the commands wait again, so many ticks later. The handles that they
// have chosen are not handed out to others.
func (w *World) resumeScheduled(s *Snapshot, later uint64) {
	w.waiting = schedule.Queue[Command]{}
	for _, o := range s.scheduled {
		o.At += later
		switch c := &o.Command; c.Op {
		case opCreateBody:
			w.handles.reserve(chosen{body: uint64(c.Body), shape: uint64(c.Shape)})
			if c.BodyDef != nil {
				w.handles.reserve(chosen{shape: uint64(c.Shape) + uint64(len(c.BodyDef.Shapes))})
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
		b = appendFields(b, reflect.ValueOf(&list[i]).Elem())
	}
	return b, nil
}

// appendFields appends what programs give, and recordings keep: the exported fields and
// what they lead to.
func appendFields(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Func:
		return b
	case reflect.Interface:
		return appendUser(b, v.Interface())
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendFields(append(b, 1), v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		for i := range v.Len() {
			b = appendFields(b, v.Index(i))
		}
		return b
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				b = appendFields(b, v.Field(i))
			}
		}
		return b
	}
	return plain.Append(b, v)
}

// readScheduled reads what appendScheduled wrote. A number may be what it likes: a command
// that can not be carried out is rejected at its tick.
func readScheduled(r *plain.Reader) []buffer.Scheduled[Command] {
	defer func(finite bool) { r.Finite = finite }(r.Finite)
	r.Finite = false
	var list []buffer.Scheduled[Command]
	readFields(r, reflect.ValueOf(&list).Elem())
	for i := range list {
		c := &list[i].Command
		r.Want(c.Op != opInspect && (uint64(c.Body)|uint64(c.Shape)|uint64(c.Joint))&(madeHere>>1) == 0)
	}
	return list
}

func readFields(r *plain.Reader, v reflect.Value) {
	if r.Err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Func:
	case reflect.Interface:
		if user := readUser(r); user != nil {
			v.Set(reflect.ValueOf(user))
		}
	case reflect.Pointer:
		if r.Number(2) == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			readFields(r, v.Elem())
		}
	case reflect.Slice:
		if n := r.Count(1 + int(v.Type().Elem().Size()/6)); n > 0 { // in bytes it is smaller, but not by so much
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				readFields(r, v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				readFields(r, v.Field(i))
			}
		}
	default:
		r.Value(v.Addr().Interface())
	}
}
