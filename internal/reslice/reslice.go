// Package reslice changes the length of slices and reuses their memory.
package reslice

import "slices"

// Resize returns s with the length n. It keeps the elements, and adds zeros if n is greater than
// the old length. It clears the elements that it cuts off, so that they hold no pointers.
func Resize[T any](s []T, n int) []T {
	old := len(s)
	if n <= old {
		clear(s[n:])
		return s[:n]
	}
	s = slices.Grow(s, n-old)[:n]
	clear(s[old:])
	return s
}

// ResizeDirty returns a slice of length n with arbitrary elements. It uses the memory of s if that is
// large enough.
func ResizeDirty[T any](s []T, n int) []T {
	if n > cap(s) {
		s = Empty(s, n)
	}
	return s[:n]
}

// Empty returns an empty slice that replaces s and has room for n elements. Its capacity is at
// least 1.5 times that of s, so that a growing table is rarely copied.
func Empty[T any](s []T, n int) []T { return make([]T, 0, max(n+n/4+16, cap(s)+cap(s)/2)) }

// Chunk allocates memory for many slices at a time. The zero Chunk is ready to use. The memory of one
// allocation is freed when none of its slices is in use any more.
type Chunk[T any] struct{ left []T }

// Take returns an empty slice with room for n elements. If it must allocate, it allocates room for at
// least `others` elements.
func (c *Chunk[T]) Take(n, others int) []T {
	if n > len(c.left) {
		c.left = make([]T, max(n, others))
	}
	to := c.left[:0:n]
	c.left = c.left[n:]
	return to
}
