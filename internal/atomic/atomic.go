//go:build !interleave

// Package atomic is sync/atomic in normal builds. In tests with the build tag interleave
// a scheduler chooses the order of all operations: see halfstep/internal/interleave.
package atomic

import "sync/atomic"

// The types have the meaning that they have in sync/atomic.
type (
	Bool           = atomic.Bool
	Uint32         = atomic.Uint32
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
)

// inlined uses every method that other packages use. Without these uses the compiler does not find
// the bodies of the methods through the aliases, and each load costs a function call.
//
//lint:ignore U1000 Nothing calls it; the compiler needs to see it.
func inlined(b *Bool, n *Uint32, m *Uint64, p *Pointer[int]) {
	b.Store(b.Load())
	b.CompareAndSwap(false, true)
	n.CompareAndSwap(0, 0)
	n.Store(n.Swap(n.Load()))
	m.Store(m.Swap(m.Add(m.Load())))
	m.CompareAndSwap(0, 0)
	p.Store(p.Swap(p.Load()))
	p.CompareAndSwap(nil, nil)
}

var _ = inlined
