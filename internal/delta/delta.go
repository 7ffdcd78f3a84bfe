// Package delta encodes bytes relative to similar bytes. The bytes are states of one world at
// several times, and most of their parts are equal.
package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// The code is a list of pairs. A pair has literal bytes (their number, then the bytes) and a copy
// (its length, and its source if the length is not 0). The source is coded as a number: twice the
// distance from the end of the last copy. The number is 1 more if the source lies in the bytes that
// were coded last.

const (
	block   = 16 // block is the length of the blocks that are searched for, in bytes. In the known bytes a block starts at each multiple of its length.
	shorter = 8  // shorter is the length, in bytes, that suffices for a copy that continues the last copy after a difference.
)

// Coder encodes several lists of bytes, one after the other.
type Coder struct{ base, last known }

// known has bytes that can be copied, and a table that gives the position of each block by the
// hash of the block.
type known struct {
	data []byte
	at   []int32 // by the hash of a block: the number of the block, plus 1
}

// NewCoder returns a Coder for bytes that are similar to base.
func NewCoder(base []byte) *Coder {
	c := new(Coder)
	c.base.index(base)
	return c
}

func (k *known) index(data []byte) {
	size := 64
	for size < len(data)/block*2 {
		size *= 2
	}
	k.data, k.at = data, slices.Grow(k.at[:0], size)[:size]
	clear(k.at)
	for i := 0; i+block <= len(data); i += block {
		if p := k.place(data[i:]); *p == 0 {
			*p = int32(i/block) + 1
		}
	}
}

// place returns the entry for blocks that have the same hash as b.
func (k *known) place(b []byte) *int32 {
	h := binary.LittleEndian.Uint64(b)*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(b[8:])*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	return &k.at[(h*0x9e3779b97f4a7c15>>20)&uint64(len(k.at)-1)]
}

// find returns the position of a block that equals the beginning of b.
func (k *known) find(b []byte) (at int, ok bool) {
	if len(k.at) == 0 {
		return 0, false
	}
	n := *k.place(b)
	if n == 0 {
		return 0, false
	}
	at = int(n-1) * block
	return at, bytes.Equal(k.data[at:at+block], b[:block])
}

// Append appends the code of data. The code is relative to the base and to the data of the previous
// call. The Coder keeps data, which must not change afterwards.
func (c *Coder) Append(code, data []byte) []byte {
	from, end := 0, 0 // the last copy: the index of its source in sources, and its end there
	sources := [...]*known{&c.base, &c.last}
	rest := 0 // rest is the index of the first byte that is not coded yet
	for i := 0; i < len(data); {
		at, ok, of := 0, false, from
		if next := end + i - rest; next >= 0 && next+shorter <= len(sources[from].data) && i+shorter <= len(data) {
			at, ok = next, bytes.Equal(sources[from].data[next:next+shorter], data[i:i+shorter])
		}
		if !ok && i+block <= len(data) {
			for of = 1; of >= 0; of-- {
				if at, ok = sources[of].find(data[i:]); ok {
					break
				}
			}
		}
		if !ok {
			i++
			continue
		}
		source := sources[of].data
		for i > rest && at > 0 && source[at-1] == data[i-1] {
			i, at = i-1, at-1
		}
		n := 0
		for i+n < len(data) && at+n < len(source) && source[at+n] == data[i+n] {
			n++
		}
		code = binary.AppendUvarint(code, uint64(i-rest))
		code = append(code, data[rest:i]...)
		code = binary.AppendUvarint(code, uint64(n))
		code = binary.AppendVarint(code, int64(at-end)*2+int64(of))
		from, end = of, at+n
		i += n
		rest = i
	}
	if rest < len(data) {
		code = binary.AppendUvarint(code, uint64(len(data)-rest))
		code = append(code, data[rest:]...)
		code = append(code, 0) // no copy
	}
	c.last.index(data)
	return code
}

// Plain returns a code of data that contains no copies.
func Plain(data []byte) []byte {
	code := binary.AppendUvarint(nil, uint64(len(data)))
	return append(append(code, data...), 0)
}

// ErrDamaged is the error that Read returns.
var ErrDamaged = errors.New("it is damaged")

// Read decodes code, which a Coder for base has made. It appends the decoded bytes, whose number is
// length, to dst. The parameter last is the data of the previous call of Append. The only error is
// ErrDamaged.
func Read(dst, base, last, code []byte, length int) ([]byte, error) {
	sources := [...][]byte{base, last}
	first, end := len(dst), int64(0)
	for len(dst)-first < length {
		room := uint64(length - (len(dst) - first))
		n, size := binary.Uvarint(code)
		if size <= 0 || n > room || n > uint64(len(code)-size) {
			return dst, ErrDamaged
		}
		dst = append(dst, code[size:size+int(n)]...)
		code, room = code[size+int(n):], room-n
		n, size = binary.Uvarint(code)
		if size <= 0 || n > room {
			return dst, ErrDamaged
		}
		if code = code[size:]; n == 0 {
			if room > 0 {
				return dst, ErrDamaged
			}
			break
		}
		where, size := binary.Varint(code)
		if size <= 0 {
			return dst, ErrDamaged
		}
		code = code[size:]
		source := sources[where&1]
		at := end + where>>1
		if at < 0 || at > int64(len(source)) || n > uint64(len(source))-uint64(at) {
			return dst, ErrDamaged
		}
		dst = append(dst, source[at:at+int64(n)]...)
		end = at + int64(n)
	}
	if len(code) > 0 {
		return dst, ErrDamaged
	}
	return dst, nil
}
