package buffer

import (
	"fmt"
	"halfstep/buffer/body2d"
	"testing"
)

// A publish writes every state, and swaps once. The least possible time is that
// of a copy of the same bytes. Two states must stay while the third is written,
// so the exchange works on three times the memory of a copy to one place. The
// copy to three places in turn shows how much that alone costs.
func BenchmarkPublish(b *testing.B) {
	for _, n := range []int{1, 1_000, 10_000} {
		src := make([]body2d.State, n)
		for i := range src {
			src[i].X = float32(i)
		}
		b.Run(fmt.Sprintf("memcpy/bodies=%d", n), func(b *testing.B) {
			dst := make([]body2d.State, n)
			b.ReportAllocs()
			b.SetBytes(int64(n) * 32)
			for b.Loop() {
				copy(dst, src)
			}
		})
		b.Run(fmt.Sprintf("memcpy-in-turn/bodies=%d", n), func(b *testing.B) {
			dst := [3][]body2d.State{make([]body2d.State, n), make([]body2d.State, n), make([]body2d.State, n)}
			b.SetBytes(int64(n) * 32)
			for i := 0; b.Loop(); i++ {
				copy(dst[i%3], src)
			}
		})
		b.Run(fmt.Sprintf("exchange/bodies=%d", n), func(b *testing.B) {
			x := NewExchange[body2d.State]()
			publish := func() {
				s := x.Next()
				s.States = append(s.States[:0], src...)
				s.Tick++
				x.Publish()
			}
			for range 10 {
				publish()
				x.Acquire()
			}
			b.ReportAllocs()
			b.SetBytes(int64(n) * 32)
			for b.Loop() {
				publish()
			}
		})
	}
}

// The benchmark measures what readers add to a publish. Each reader acquires
// every state, or sleeps.
func BenchmarkPublishToReaders(b *testing.B) {
	src := make([]body2d.State, 1000)
	for _, n := range []int{0, 1, 2, MaxReaders} {
		for _, looks := range []string{"look", "sleep"} {
			b.Run(fmt.Sprintf("%s/readers=%d", looks, n), func(b *testing.B) {
				x := NewExchange[body2d.State]()
				var readers []*Reader[body2d.State]
				for range n {
					readers = append(readers, x.reader(func() {}))
				}
				publish := func() {
					s := x.Next()
					s.States = append(s.States[:0], src...)
					s.Tick++
					x.Publish()
					x.Acquire()
				}
				for range 30 {
					publish()
					for _, r := range readers {
						r.Acquire()
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					publish()
					for _, r := range readers {
						if looks == "look" {
							r.Acquire()
						}
					}
				}
			})
		}
	}
}

// The time must not grow with the number of bodies.
func BenchmarkAcquire(b *testing.B) {
	for _, n := range []int{1, 1_000, 100_000} {
		x := NewExchange[body2d.State]()
		for range 10 {
			s := x.Next()
			s.States = append(s.States[:0], make([]body2d.State, n)...)
			x.Publish()
			x.Acquire()
		}
		b.Run(fmt.Sprintf("new/bodies=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Next()
				x.Publish() // the states are not written, because only the hand-over is timed
				if !x.Acquire() {
					b.Fatal("nothing new")
				}
			}
		})
		b.Run(fmt.Sprintf("nothing-new/bodies=%d", n), func(b *testing.B) {
			for b.Loop() {
				if x.Acquire() {
					b.Fatal("new")
				}
			}
		})
	}
}

func BenchmarkLog(b *testing.B) {
	l := NewLog[[8]uint64]()
	b.ReportAllocs()
	for b.Loop() {
		l.Append([8]uint64{1})
		l.Peek(l.Count())
		l.Take()
	}
}
