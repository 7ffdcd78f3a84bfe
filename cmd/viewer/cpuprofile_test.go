package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// cpuSample is a stack of a CPU profile, with the labels of the stack.
type cpuSample struct {
	count  int64
	labels map[string]string
	stack  []string // stack has the names of functions, the innermost first.
}

// readProfile reads those parts of a profile (gzipped profile.proto) that the
// tests need.
func readProfile(data []byte) (samples []cpuSample, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if data, err = io.ReadAll(z); err != nil {
		return nil, err
	}
	type raw struct {
		locations, values []uint64
		labels            [][2]uint64
	}
	var (
		raws      []raw
		table     []string
		functions = map[uint64]uint64{}   // id to name
		locations = map[uint64][]uint64{} // id to functions
	)
	err = fields(data, func(n int, _ uint64, b []byte) {
		switch n {
		case 2: // sample
			var r raw
			fields(b, func(n int, v uint64, b []byte) {
				switch n {
				case 1:
					r.locations = appendPacked(r.locations, v, b)
				case 2:
					r.values = appendPacked(r.values, v, b)
				case 3:
					var l [2]uint64
					fields(b, func(n int, v uint64, _ []byte) {
						if n == 1 || n == 2 {
							l[n-1] = v
						}
					})
					r.labels = append(r.labels, l)
				}
			})
			raws = append(raws, r)
		case 4: // location
			var id uint64
			var list []uint64
			fields(b, func(n int, v uint64, b []byte) {
				switch n {
				case 1:
					id = v
				case 4:
					fields(b, func(n int, v uint64, _ []byte) {
						if n == 1 {
							list = append(list, v)
						}
					})
				}
			})
			locations[id] = list
		case 5: // function
			var id, name uint64
			fields(b, func(n int, v uint64, _ []byte) {
				switch n {
				case 1:
					id = v
				case 2:
					name = v
				}
			})
			functions[id] = name
		case 6:
			table = append(table, string(b))
		}
	})
	for _, r := range raws {
		s := cpuSample{count: int64(r.values[0]), labels: map[string]string{}}
		for _, l := range r.labels {
			s.labels[table[l[0]]] = table[l[1]]
		}
		for _, at := range r.locations {
			for _, f := range locations[at] {
				s.stack = append(s.stack, table[functions[f]])
			}
		}
		samples = append(samples, s)
	}
	return samples, err
}

// fields calls f for each field of a protocol buffer message. The argument v is
// the value of a number. The argument b is the content of a field that has a
// length.
func fields(data []byte, f func(number int, v uint64, b []byte)) error {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("bad tag")
		}
		data = data[n:]
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("bad value")
		}
		data = data[n:]
		switch tag & 7 {
		case 0:
			f(int(tag>>3), v, nil)
		case 2:
			if v > uint64(len(data)) {
				return errors.New("too short")
			}
			f(int(tag>>3), 0, data[:v])
			data = data[v:]
		default:
			return errors.New("unknown wire type")
		}
	}
	return nil
}

func appendPacked(to []uint64, v uint64, b []byte) []uint64 {
	if b == nil {
		return append(to, v)
	}
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return to
		}
		to, b = append(to, v), b[n:]
	}
	return to
}
