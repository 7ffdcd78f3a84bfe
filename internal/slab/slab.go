// Package slab gives slices that are used again another length.
package slab

import "slices"

// Sized returns s with a length of n: with what it holds, and zeros behind that. What is cut off
// is cleared, so that it keeps nothing in memory.
func Sized[T any](s []T, n int) []T {
	old := len(s)
	if n <= old {
		clear(s[n:])
		return s[:n]
	}
	s = slices.Grow(s, n-old)[:n]
	clear(s[old:])
	return s
}

// Any returns s, or what takes its place, with a length of n and anything in it.
func Any[T any](s []T, n int) []T {
	if n > cap(s) {
		s = Room(s, n)
	}
	return s[:n]
}

// Room returns what takes the place of s where n elements have no room. It is at least half as
// large again, so that a table that grows is seldom copied.
func Room[T any](s []T, n int) []T { return make([]T, 0, max(n+n/4+16, cap(s)+cap(s)/2)) }
