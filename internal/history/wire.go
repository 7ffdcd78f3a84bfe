package history

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"reflect"
)

// The checksums vouch for what was written and not for who wrote it. An element of a
// slice can be one byte in a gob payload and hundreds in memory, and a type that
// contains itself is read by recursion, as deep as the payload says. So the payload is
// gone through before package gob decodes it: only what takes a bounded multiple of its
// bytes, and lies no deeper than a recording's own types, is decoded.
const (
	// memoryPerByte is how many bytes of memory a byte of a payload may take. What a
	// recorder writes takes up to 18: the end of a frame does, and an empty shape.
	memoryPerByte = 24
	// maxDepth limits the nesting of values. A recording's lie up to 9 deep.
	maxDepth = 20
	// maxTypes limits the types that a payload may define. A recording has some twenty.
	maxTypes = 200
)

// The ids of the types that a gob payload need not define.
const (
	idBool = iota + 1
	idInt
	idUint
	idFloat
	idBytes
	idString
	idComplex
	idInterface
	idDefinition = 16 // the type of a gobType
)

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

var (
	errTypes   = errors.New("its types are none of a recording's")
	errMessage = errors.New("a length or a type is cut short")
	errMemory  = errors.New("it would take far more memory than a recording of its size does")
)

// checkPayload refuses a payload that must not be decoded into a value of that type.
func checkPayload(payload []byte, into reflect.Type) (err error) {
	var ids []int
	var stream bytes.Buffer // the definitions, as values
	v := gobValue{types: map[int]*gobType{}, fields: map[gobFields][]reflect.Type{}, left: memoryPerByte * int64(len(payload))}
	for rest := payload; ; {
		var id int
		if id, v.rest, rest, err = gobMessage(rest); err != nil {
			return err
		}
		if id >= 0 { // a value: the definitions are over
			ids = append(ids, id)
			break
		}
		if ids = append(ids, -id); len(ids) > maxTypes {
			return errTypes
		}
		stream.Write(binary.BigEndian.AppendUint64([]byte{0xf8}, uint64(1+len(v.rest)))) // 8 bytes of length
		stream.WriteByte(idDefinition << 1)
		stream.Write(v.rest)
	}
	d := gob.NewDecoder(&stream)
	for _, id := range ids[:len(ids)-1] {
		v.types[id] = new(gobType)
		if err := d.Decode(v.types[id]); err != nil {
			return err
		}
	}
	id := ids[len(ids)-1]
	if t := v.types[id]; t == nil || t.StructT == nil { // then a 0 comes before it
		v.uint()
	}
	v.walk(id, into, 0)
	return v.err
}

// gobValue is a value on its way through a payload. After an error it goes nowhere.
type gobValue struct {
	types  map[int]*gobType // the types that the payload defines
	fields map[gobFields][]reflect.Type
	rest   []byte
	left   int64 // bytes of memory
	err    error
}

// gobFields asks which types the fields of a defined struct have in one of ours.
type gobFields struct {
	id int
	in reflect.Type
}

func (v *gobValue) fail(err error) {
	if v.err == nil {
		v.err, v.rest = err, nil
	}
}

func (v *gobValue) uint() (n uint64) {
	n, rest, err := gobUint(v.rest)
	if v.rest = rest; err != nil {
		v.fail(err)
		return 0
	}
	return n
}

// length is a number of elements, of which each takes a byte at least.
func (v *gobValue) length() int {
	n := v.uint()
	if n > uint64(len(v.rest)) {
		v.fail(errMessage)
		return 0
	}
	return int(n)
}

func (v *gobValue) take(n int, size uintptr) {
	if v.left -= int64(n) * int64(size); v.left < 0 {
		v.fail(errMemory)
	}
}

// text goes over bytes that are kept, and returns how many there are.
func (v *gobValue) text() int {
	n := v.length()
	v.take(n, 1)
	v.rest = v.rest[min(n, len(v.rest)):]
	return n
}

// walk goes over a value of the type with that id. in is our type, or nil if nothing
// is kept of the value.
func (v *gobValue) walk(id int, in reflect.Type, depth int) {
	if depth > maxDepth {
		v.fail(errTypes)
	}
	if in != nil && in.Kind() == reflect.Pointer {
		in = in.Elem()
		v.take(1, in.Size())
	}
	t := v.types[id]
	switch {
	case v.err != nil:
	case id >= idBool && id <= idFloat:
		v.uint()
	case id == idComplex:
		v.uint()
		v.uint()
	case id == idBytes || id == idString:
		v.text()
	case id == idInterface:
		v.dynamic(depth)
	case t != nil && t.SliceT != nil:
		v.elements(t.SliceT.Elem, in, depth)
	case t != nil && t.ArrayT != nil:
		v.elements(t.ArrayT.Elem, in, depth)
	case t != nil && t.StructT != nil:
		fields, ours, at := t.StructT.Field, v.fieldsIn(id, in), -1
		for d := v.uint(); d != 0 && v.err == nil; d = v.uint() {
			if d >= uint64(len(fields)-at) {
				v.fail(errTypes)
				return
			}
			at += int(d)
			v.walk(fields[at].Id, ours[at], depth+1)
		}
	default: // a recording has no others
		v.fail(errTypes)
	}
}

func (v *gobValue) elements(id int, in reflect.Type, depth int) {
	n := v.length()
	var element reflect.Type
	if in != nil && (in.Kind() == reflect.Slice || in.Kind() == reflect.Array) {
		element = in.Elem()
		v.take(n, element.Size())
	}
	for i := 0; i < n && v.err == nil; i++ {
		v.walk(id, element, depth+1)
	}
}

// fieldsIn returns the types that the fields of a defined struct have in ours, nil for
// those that it does not have.
func (v *gobValue) fieldsIn(id int, in reflect.Type) []reflect.Type {
	known, ok := v.fields[gobFields{id, in}]
	if ok {
		return known
	}
	for _, f := range v.types[id].StructT.Field {
		var t reflect.Type
		if in != nil && in.Kind() == reflect.Struct {
			if ours, ok := in.FieldByName(f.Name); ok {
				t = ours.Type
			}
		}
		known = append(known, t)
	}
	v.fields[gobFields{id, in}] = known
	return known
}

// dynamic goes over a value with a type of its own: one that need not be defined.
func (v *gobValue) dynamic(depth int) {
	if v.text() == 0 {
		return // nil has no name
	}
	id := v.uint()
	v.uint() // its length, which gob does not heed
	if id&1 != 0 || id>>1 < idBool || id>>1 > idComplex || v.uint() != 0 {
		v.fail(errTypes)
		return
	}
	v.walk(int(id>>1), nil, depth+1)
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
