// Package statehash mixes what is known of an object into one number. The numbers of
// all objects of a world are added, so that their order does not count, and so that
// the sum can follow an object that changes without a look at the others.
package statehash

import "math"

// Hash is the number so far. Make it with [Of].
type Hash uint64

// Of begins the hash of an object of a kind: any number.
func Of(kind uint64) Hash {
	h := Hash(0x243f6a8885a308d3)
	h.Word(kind)
	return h
}

// Word mixes in a word.
func (h *Hash) Word(x uint64) {
	v := (uint64(*h) ^ x) * 0x9e3779b97f4a7c15
	*h = Hash(v ^ v>>32)
}

// Int mixes in an integer.
func (h *Hash) Int(x int) { h.Word(uint64(x)) }

// Bool mixes in a truth value.
func (h *Hash) Bool(x bool) {
	if x {
		h.Word(1)
	} else {
		h.Word(0)
	}
}

// Floats mixes in numbers. All NaNs are alike: which one comes out of a sum is not
// the same everywhere.
func (h *Hash) Floats(list ...float64) {
	for _, x := range list {
		if x != x {
			x = math.NaN()
		}
		h.Word(math.Float64bits(x))
	}
}

// Pair mixes in two numbers of single precision.
func (h *Hash) Pair(x, y float32) {
	h.Word(uint64(math.Float32bits(x)) | uint64(math.Float32bits(y))<<32)
}

// Sum is the number of the object. Each bit that was mixed in changes each of its bits
// about half of the time, so that the numbers of objects can be added.
func (h Hash) Sum() uint64 {
	x := uint64(h)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
