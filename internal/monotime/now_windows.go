package monotime

import (
	"math/bits"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

var (
	kernel32  = syscall.NewLazyDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = perSecond() // counts per second
	base      = time.Now()
	first     = count() // the counter at base
)

// cell receives a value of the counter from Windows. A local variable in its
// place would be allocated on the heap in every call, because its address goes
// to the system.
type cell struct {
	taken atomic.Bool
	value int64
	_     [48]byte // the padding keeps two cells off one cache line
}

// there are more cells than threads that read the counter at the same moment
var cells [64]cell

// Now returns time.Now() with a monotonic part that resolves short times. It
// allocates nothing, and does not wait for other threads.
func Now() time.Time { return base.Add(duration(uint64(count()-first), uint64(frequency))) }

// Since returns the time since t, which must be a result of Now.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

func count() int64 {
	for i := 0; ; i = (i + 1) % len(cells) {
		if c := &cells[i]; c.taken.CompareAndSwap(false, true) {
			syscall.SyscallN(counter.Addr(), uintptr(unsafe.Pointer(&c.value)))
			n := c.value
			c.taken.Store(false)
			return n
		}
	}
}

func perSecond() (hz int64) {
	kernel32.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&hz)))
	return hz
}

// duration returns the time of n counts at a frequency of hz. Rounding errors
// do not add up.
func duration(n, hz uint64) time.Duration {
	high, low := bits.Mul64(n, uint64(time.Second))
	ns, _ := bits.Div64(high, low, hz)
	return time.Duration(ns)
}
