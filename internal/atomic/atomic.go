//go:build !interleave

// Package atomic is sync/atomic, but for tests with the build tag interleave,
// in which a scheduler chooses the order of all operations: see
// halfstep/internal/interleave.
package atomic

import "sync/atomic"

// As in sync/atomic.
type (
	Bool           = atomic.Bool
	Uint32         = atomic.Uint32
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
)
