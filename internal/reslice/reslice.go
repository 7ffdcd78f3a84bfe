// Package reslice changes the length of slices and reuses their memory.
package reslice

import "slices"

// Resize returns s with a length of n. It keeps the elements and adds zeros. Elements that are cut
// off are cleared, so that they hold no pointers.
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

// ResizeDirty returns s, or a new slice if s is too small, with a length of n and arbitrary elements.
func ResizeDirty[T any](s []T, n int) []T {
	if n > cap(s) {
		s = Empty(s, n)
	}
	return s[:n]
}

// Empty returns an empty slice with room for n elements, as a replacement of s. Its capacity is at
// least half as large again as that of s, so that a growing table is rarely copied.
func Empty[T any](s []T, n int) []T { return make([]T, 0, max(n+n/4+16, cap(s)+cap(s)/2)) }

// Chunk allocates many slices at a time. The zero Chunk is ready to use. The memory of an allocation is
// freed when none of its slices is in use.
type Chunk[T any] struct{ left []T }

// Take returns an empty slice with room for n elements. It allocates room for at least others at once.
func (c *Chunk[T]) Take(n, others int) []T {
	if n > len(c.left) {
		c.left = make([]T, max(n, others))
	}
	to := c.left[:0:n]
	c.left = c.left[n:]
	return to
}
