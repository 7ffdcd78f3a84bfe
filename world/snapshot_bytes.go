package world

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"hash/fnv"
	"reflect"
	"runtime"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/binenc"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/soft"
)

// The bytes of a snapshot are the magic word, the number of the format, the architecture, the method of the stepper,
// the layout, the length and the checksum of the rest, and then the rest.
const (
	snapshotMagic  = "halfstep snapshot\n"
	snapshotFormat = 6
)

var checksums = crc64.MakeTable(crc64.ECMA)

// loading has the requirements of a snapshot from LoadSnapshot on the world that restores the snapshot.
type loading struct {
	stepper  string
	stateful []string // the types of the world's Stateful code, in order
}

// layout is a hash of all types in a snapshot. Builds with another format of snapshots have another layout.
var layout = func() uint64 {
	h := fnv.New64a()
	h.Write([]byte(b2state.Layout()))
	for _, t := range []reflect.Type{
		reflect.TypeFor[loading](), reflect.TypeFor[chosen](), reflect.TypeFor[saved](), reflect.TypeFor[slot](), reflect.TypeFor[body](),
		reflect.TypeFor[shape](), reflect.TypeFor[joint](), reflect.TypeFor[Mass](), reflect.TypeFor[Event](),
		reflect.TypeFor[Command](), reflect.TypeFor[body2d.Drawing](), reflect.TypeFor[BodyDef](), reflect.TypeFor[ShapeDef](), reflect.TypeFor[JointDef](),
	} {
		h.Write([]byte(binenc.Describe(t)))
	}
	return h.Sum64()
}()

const anyArch = "any" // the architecture of soft worlds, which have the same bits everywhere

// arch returns the architecture on which a snapshot can be used.
func (s *Snapshot) arch() string {
	if s.Stepper() == SoftStep {
		return anyArch
	}
	return runtime.GOARCH
}

// layoutFor returns the layout of snapshots for an architecture.
func layoutFor(arch string) uint64 {
	if arch != anyArch {
		return layout
	}
	h := fnv.New64a()
	h.Write([]byte(soft.Layout()))
	return layout ^ h.Sum64()
}

// way returns the world's stepper.
func (w *World) way() Stepper {
	if w.soft != nil { // w.cfg is not used, because a restore may write it while another goroutine makes bytes
		return SoftStep
	}
	return FastStep
}

// AppendBinary appends the snapshot as bytes. [LoadSnapshot] reads the bytes in any program with the
// same version of halfstep, on the same architecture. Snapshots of a soft world can also be read on
// other architectures. Like recordings, the bytes lack User values, except bools, strings and
// numbers. They also lack the user data of objects that were created through [World.Box2D].
// AppendBinary returns an error if a function of [Commands.Do] waits for its tick.
func (s *Snapshot) AppendBinary(b []byte) ([]byte, error) {
	if s.of == nil && s.loading == nil {
		return b, errEmpty
	}
	before := len(b)
	b = append(b, snapshotMagic...)
	b = binary.LittleEndian.AppendUint32(b, snapshotFormat)
	arch := s.arch()
	b = appendPlain(b, &arch)
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Stepper().Method()))
	b = binary.LittleEndian.AppendUint64(b, layoutFor(arch))
	at := len(b) // the index at which the length and the checksum of the rest will be written
	b, err := appendScheduled(append(slices.Grow(b, s.Size()), make([]byte, 16)...), s.scheduled)
	if err != nil {
		return b[:before], err
	}
	b = s.appendRest(b)
	rest := b[at+16:]
	binary.LittleEndian.PutUint64(b[at:], uint64(len(rest)))
	binary.LittleEndian.PutUint64(b[at+8:], crc64.Checksum(rest, checksums))
	return b, nil
}

// MarshalBinary returns the bytes of AppendBinary in a new slice.
func (s *Snapshot) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// appendPlain appends the fields of a variable, except pointers, functions and interfaces. The parameter p points to the
// variable.
func appendPlain(b []byte, p any) []byte { return binenc.Append(b, reflect.ValueOf(p).Elem()) }

// appendEach appends each element of a list as appendPlain does.
func appendEach[T any](b []byte, list []T) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for i := range list {
		b = appendPlain(b, &list[i])
	}
	return b
}

// appendRest appends everything except the header and the waiting commands. Snapshot.read reads it. A pointer is written
// as an index in an earlier list.
func (s *Snapshot) appendRest(b []byte) []byte {
	of := s.loading
	if of == nil {
		of = &loading{stepper: s.Stepper().String()}
		for st := range s.stateful {
			of.stateful = append(of.stateful, fmt.Sprintf("%T", st))
		}
	}
	b = appendPlain(b, of)
	b = appendPlain(b, &s.user)
	b = appendPlain(b, &s.userEnds)
	order := s.b2.Order()
	b, at := s.b2.Append(b, &order)
	b = appendPlain(b, &s.saved)
	b = appendPlain(b, &s.counters)
	ground := int64(-1) // the number of the body to which mouse joints are fixed, or -1
	if s.saved.ground != nil {
		ground = int64(at.Bodies[s.saved.ground])
	}
	b = appendPlain(b, &ground)

	all, index := s.listed(), map[*body]int32{}
	b = binary.AppendUvarint(b, uint64(len(all.bodies)))
	for i := range all.bodies {
		r := &all.bodies[i].value
		index[all.bodies[i].at] = int32(i)
		b = binary.AppendUvarint(b, uint64(at.Bodies[r.b]))
		b = binenc.AppendUser(appendPlain(b, r), r.user)
		mass := r.mass != nil
		if b = appendPlain(b, &mass); mass {
			b = appendPlain(b, r.mass)
		}
		b = binary.AppendUvarint(b, uint64(len(s.record(int(r.slot)).shapes)))
	}
	for i := range all.shapes {
		r := &all.shapes[i].value
		b = binary.AppendUvarint(b, uint64(at.Fixtures[r.fix]))
		b = binenc.AppendUser(appendPlain(b, r), r.user)
	}
	joints := map[*joint]int64{nil: -1}
	for i := range all.joints {
		joints[all.joints[i].at] = int64(i)
	}
	b = binary.AppendUvarint(b, uint64(len(all.joints)))
	for i := range all.joints {
		r := &all.joints[i].value
		b = binary.AppendUvarint(b, uint64(at.Joints[r.j]))
		b = binenc.AppendUser(appendPlain(b, r), r.user)
		parts := [2]int64{joints[r.parts[0]], joints[r.parts[1]]}
		b = appendPlain(b, &parts)
	}
	b = binary.AppendUvarint(b, uint64(s.slotCount))
	for i := range s.slotCount {
		b = appendPlain(b, s.slots.At(&s.b2.Values, i))
	}
	b = appendPlain(b, &s.free)
	if s.Stepper() == SoftStep {
		b = s.soft.Append(b, &s.b2)
	}
	b = appendEach(b, s.loaded)
	for i := range s.loaded {
		b = binary.AppendUvarint(b, uint64(index[s.loaded[i].of]))
	}
	return appendEach(appendEach(b, s.events), s.drawings)
}

// LoadSnapshot reads the bytes of a snapshot. The first world that restores the snapshot owns it. That
// world should have the same set-up as the snapshot's world: the same Config, controllers and hooks,
// and the same [Stateful] code in the same order. The restore sets the world's step settings to those
// of the snapshot.
//
// The error is one line with the reason: the bytes are no snapshot, are damaged, or were written by
// another version or on another architecture.
func LoadSnapshot(data []byte) (*Snapshot, error) {
	s := new(Snapshot)
	if err := s.load(data); err != nil {
		return nil, fmt.Errorf("world: the snapshot cannot be loaded: %w", err)
	}
	return s, nil
}

var errDamaged = errors.New("it is damaged")

// load reads the bytes of a snapshot.
func (s *Snapshot) load(data []byte) error {
	if len(data) < len(snapshotMagic) || string(data[:len(snapshotMagic)]) != snapshotMagic {
		return errors.New("it is no snapshot")
	}
	r := &binenc.Reader{Finite: true, Rest: data[len(snapshotMagic):]}
	var format uint32
	if r.Value(&format); r.Err == nil && format != snapshotFormat {
		return fmt.Errorf("it has format %d; this program reads format %d", format, snapshotFormat)
	}
	var arch string
	if r.Value(&arch); r.Err == nil && arch != runtime.GOARCH && arch != anyArch {
		return fmt.Errorf("it was taken on %.20q; this is %s", arch, runtime.GOARCH)
	}
	var method uint32
	r.Value(&method)
	way := FastStep
	if arch == anyArch {
		way = SoftStep
	}
	var other, length, sum uint64
	r.Value(&other)
	r.Value(&length)
	r.Value(&sum)
	switch {
	case r.Err != nil || length != uint64(len(r.Rest)) || crc64.Checksum(r.Rest, checksums) != sum:
		return errDamaged
	case int(method) != way.Method():
		return fmt.Errorf("it was made by method %d of the %v stepper; this program has method %d", method, way, way.Method())
	case other != layoutFor(arch):
		return errors.New("it was taken by another version of halfstep")
	}
	if err := s.read(r, arch); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return nil
}
