//go:build linux && (amd64 || arm64)

package presenttimes

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"halfstep/internal/monotime"
)

// load loads a shared library and looks up the addresses of symbols.
func load(library string, symbols map[string]*uintptr) error {
	l, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	for symbol, at := range symbols {
		if err == nil {
			*at, err = purego.Dlsym(l, symbol)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %v", ErrNone, err)
	}
	return nil
}

// call calls a C function whose parameters are integers and pointers.
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}

// pinned is memory to which C code keeps pointers. It is neither moved nor freed.
type pinned struct{ runtime.Pinner }

func (p *pinned) pointer(v unsafe.Pointer) uintptr {
	p.Pin(v)
	return uintptr(v)
}

func (p *pinned) text(s string) uintptr {
	return p.pointer(unsafe.Pointer(unsafe.SliceData(append([]byte(s), 0))))
}

// at converts an address of C memory to a pointer.
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// wallTime converts a time of one of the system's clocks.
func wallTime(clock int32, ns int64) time.Time {
	var ts unix.Timespec
	now := monotime.Now()
	if unix.ClockGettime(clock, &ts) != nil {
		return time.Time{}
	}
	return now.Add(time.Duration(ns - ts.Nano()))
}
