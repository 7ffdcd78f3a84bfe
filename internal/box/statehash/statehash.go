// Package statehash hashes the values of an object to one number. The sum of the numbers of all
// objects is the hash of a world. It does not depend on the order of the objects. If one object
// changes, the new sum follows from the old sum and that object alone.
package statehash

import "math"

// Hash is an unfinished hash. Make it with [Of].
type Hash uint64

// Of begins the hash of an object. The kind is a number that distinguishes the object
// from objects of other kinds.
func Of(kind uint64) Hash {
	h := Hash(0x243f6a8885a308d3)
	h.Word(kind)
	return h
}

// Word adds a word.
func (h *Hash) Word(x uint64) {
	v := (uint64(*h) ^ x) * 0x9e3779b97f4a7c15
	*h = Hash(v ^ v>>32)
}

// Int adds an integer.
func (h *Hash) Int(x int) { h.Word(uint64(x)) }

// Bool adds a boolean value to the hash.
func (h *Hash) Bool(x bool) {
	if x {
		h.Word(1)
	} else {
		h.Word(0)
	}
}

// Floats adds numbers to the hash. All NaNs count as equal, because machines differ
// in which NaN results from a sum.
func (h *Hash) Floats(list ...float64) {
	for _, x := range list {
		if x != x {
			x = math.NaN()
		}
		h.Word(math.Float64bits(x))
	}
}

// Pair adds two numbers of single precision to the hash.
func (h *Hash) Pair(x, y float32) {
	h.Word(uint64(math.Float32bits(x)) | uint64(math.Float32bits(y))<<32)
}

// Sum returns the finished hash of the object. Each added bit changes each bit of the result in
// about half of all cases, so the results for several objects can be added up.
func (h Hash) Sum() uint64 {
	x := uint64(h)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
