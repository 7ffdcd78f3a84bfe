package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
)

// A gob payload begins with definitions of its types, and its reader follows
// them: a field that it does not know and whose type contains itself is skipped
// by recursion, as deep as the payload says, until the stack ends the process.
// No type of a recording contains itself, and there are some twenty.
const maxTypes = 200

// gobType is package gob's own description of a type, with all its fields: it
// cannot skip one of these. A made type has the ids of those it is made of.
type gobType struct {
	ArrayT *struct {
		CommonType gobCommon
		Elem, Len  int
	}
	SliceT *struct {
		CommonType gobCommon
		Elem       int
	}
	StructT *struct {
		CommonType gobCommon
		Field      []struct {
			Name string
			Id   int
		}
	}
	MapT *struct {
		CommonType gobCommon
		Key, Elem  int
	}
	GobEncoderT, BinaryMarshalerT, TextMarshalerT *struct{ CommonType gobCommon }
}

type gobCommon struct {
	Name string
	Id   int
}

// wireTypeID is the id by which a gob stream says that a value is such a
// description.
const wireTypeID = 16

var (
	errTypes   = errors.New("its types are none of a recording's")
	errMessage = errors.New("a length or a type is cut short")
)

// checkTypes refuses a payload with types that contain themselves, and returns
// the bytes that define them.
func checkTypes(payload []byte) (definitions []byte, err error) {
	var ids []int
	var stream []byte // of the definitions, as values
	for rest := payload; len(ids) <= maxTypes; {
		id, body, next, err := gobMessage(rest)
		if err != nil {
			return nil, err
		}
		if id >= 0 { // a value: the definitions are over
			return payload[:len(payload)-len(rest)], checkCycles(ids, stream)
		}
		ids = append(ids, -id)
		stream = appendMessage(stream, wireTypeID, body)
		rest = next
	}
	return nil, errTypes
}

// checkCycles refuses types that contain themselves.
func checkCycles(ids []int, stream []byte) error {
	parts := map[int][]int{}
	d := gob.NewDecoder(bytes.NewReader(stream))
	for _, id := range ids {
		var t gobType
		if err := d.Decode(&t); err != nil {
			return err
		}
		parts[id] = t.parts()
	}
	return acyclic(parts)
}

// sameTypes reports whether a payload has no other definitions than those.
func sameTypes(payload, definitions []byte) bool {
	rest, ok := bytes.CutPrefix(payload, definitions)
	id, _, _, err := gobMessage(rest)
	return ok && err == nil && id >= 0
}

func (t *gobType) parts() (ids []int) {
	switch {
	case t.ArrayT != nil:
		ids = append(ids, t.ArrayT.Elem)
	case t.SliceT != nil:
		ids = append(ids, t.SliceT.Elem)
	case t.MapT != nil:
		ids = append(ids, t.MapT.Key, t.MapT.Elem)
	case t.StructT != nil:
		for _, f := range t.StructT.Field {
			ids = append(ids, f.Id)
		}
	}
	return ids
}

// acyclic reports an error if a type contains itself.
func acyclic(parts map[int][]int) error {
	const begun, done = 1, 2
	state := map[int]int{}
	var visit func(id int) bool
	visit = func(id int) bool {
		if state[id] != 0 {
			return state[id] == done
		}
		state[id] = begun
		for _, p := range parts[id] {
			if !visit(p) {
				return false
			}
		}
		state[id] = done
		return true
	}
	for id := range parts {
		if !visit(id) {
			return errTypes
		}
	}
	return nil
}

// appendMessage appends the message of a value of the type with that id.
func appendMessage(stream []byte, id byte, body []byte) []byte {
	stream = binary.BigEndian.AppendUint64(append(stream, 0xf8), uint64(1+len(body)))
	return append(append(stream, id<<1), body...)
}

// gobMessage takes the first message off a stream: the id of a value's type, or
// one below 0 where the body defines the type with that id.
func gobMessage(stream []byte) (id int, body, next []byte, err error) {
	n, rest, err := gobUint(stream)
	if err != nil || n > uint64(len(rest)) {
		return 0, nil, nil, errMessage
	}
	u, body, err := gobUint(rest[:n])
	if id = int(u >> 1); u&1 != 0 {
		id = ^id
	}
	return id, body, rest[n:], err
}

// gobUint reads a number as gob writes it: a byte below 128 is itself, another
// says how many bytes follow, highest first.
func gobUint(b []byte) (n uint64, rest []byte, err error) {
	if len(b) == 0 {
		return 0, nil, errMessage
	}
	if b[0] < 0x80 {
		return uint64(b[0]), b[1:], nil
	}
	size := -int(int8(b[0]))
	if size > 8 || len(b) <= size {
		return 0, nil, errMessage
	}
	for _, c := range b[1 : 1+size] {
		n = n<<8 | uint64(c)
	}
	return n, b[1+size:], nil
}
