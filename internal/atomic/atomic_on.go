//go:build interleave

// Package atomic is sync/atomic with a scheduler that chooses the order of all
// operations: see halfstep/internal/interleave.
package atomic

import (
	"sync/atomic"
	"unsafe"

	"halfstep/internal/interleave"
)

// Bool has the meaning that it has in sync/atomic.
type Bool struct{ v atomic.Bool }

func (x *Bool) Load() bool   { interleave.Load(unsafe.Pointer(x)); return x.v.Load() }
func (x *Bool) Store(b bool) { interleave.Store(unsafe.Pointer(x)); x.v.Store(b) }
func (x *Bool) CompareAndSwap(old, new bool) bool {
	interleave.Store(unsafe.Pointer(x))
	return x.v.CompareAndSwap(old, new)
}

// Uint32 has the meaning that it has in sync/atomic.
type Uint32 struct{ v atomic.Uint32 }

func (x *Uint32) Load() uint32         { interleave.Load(unsafe.Pointer(x)); return x.v.Load() }
func (x *Uint32) Store(n uint32)       { interleave.Store(unsafe.Pointer(x)); x.v.Store(n) }
func (x *Uint32) Swap(n uint32) uint32 { interleave.Store(unsafe.Pointer(x)); return x.v.Swap(n) }
func (x *Uint32) CompareAndSwap(old, new uint32) bool {
	interleave.Store(unsafe.Pointer(x))
	return x.v.CompareAndSwap(old, new)
}

// Uint64 has the meaning that it has in sync/atomic.
type Uint64 struct{ v atomic.Uint64 }

func (x *Uint64) Load() uint64         { interleave.Load(unsafe.Pointer(x)); return x.v.Load() }
func (x *Uint64) Store(n uint64)       { interleave.Store(unsafe.Pointer(x)); x.v.Store(n) }
func (x *Uint64) Swap(n uint64) uint64 { interleave.Store(unsafe.Pointer(x)); return x.v.Swap(n) }
func (x *Uint64) Add(d uint64) uint64  { interleave.Store(unsafe.Pointer(x)); return x.v.Add(d) }
func (x *Uint64) CompareAndSwap(old, new uint64) bool {
	interleave.Store(unsafe.Pointer(x))
	return x.v.CompareAndSwap(old, new)
}

// Pointer has the meaning that it has in sync/atomic.
type Pointer[T any] struct{ v atomic.Pointer[T] }

func (x *Pointer[T]) Load() *T   { interleave.Load(unsafe.Pointer(x)); return x.v.Load() }
func (x *Pointer[T]) Store(p *T) { interleave.Store(unsafe.Pointer(x)); x.v.Store(p) }
func (x *Pointer[T]) Swap(p *T) *T {
	interleave.Store(unsafe.Pointer(x))
	return x.v.Swap(p)
}
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	interleave.Store(unsafe.Pointer(x))
	return x.v.CompareAndSwap(old, new)
}
