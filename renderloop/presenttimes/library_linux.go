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

// library is a shared library that was loaded at run time.
type library uintptr

func load(name string) (library, error) {
	l, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return 0, fmt.Errorf("%w: %v", ErrNone, err)
	}
	return library(l), nil
}

func (l library) symbols(all map[string]*uintptr) error {
	for name, at := range all {
		p, err := purego.Dlsym(uintptr(l), name)
		if err != nil {
			return fmt.Errorf("%w: %v", ErrNone, err)
		}
		*at = p
	}
	return nil
}

// call calls a C function of integers and pointers.
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}

// pinned is memory that C code keeps pointers to: it is neither moved nor freed.
type pinned struct{ runtime.Pinner }

func (p *pinned) pointer(v unsafe.Pointer) uintptr {
	p.Pin(v)
	return uintptr(v)
}

func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

func wallTime(clock int32, ns int64) time.Time {
	var ts unix.Timespec
	now := monotime.Now()
	if unix.ClockGettime(clock, &ts) != nil {
		return time.Time{}
	}
	return now.Add(time.Duration(ns - ts.Nano()))
}

// waiter waits for a file descriptor, until it is told to stop.
type waiter struct {
	fd   int
	stop [2]int // a pipe
	done chan struct{}
}

func newWaiter(fd int) (*waiter, error) {
	w := &waiter{fd: fd, done: make(chan struct{})}
	if err := unix.Pipe2(w.stop[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("present times: %w", err)
	}
	return w, nil
}

// wait waits until there is something to read. It returns false if it is to stop.
func (w *waiter) wait() bool {
	fds := []unix.PollFd{{Fd: int32(w.fd), Events: unix.POLLIN}, {Fd: int32(w.stop[0]), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && fds[1].Revents == 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) == 0
	}
}

func (w *waiter) close() {
	unix.Close(w.stop[1])
	<-w.done
	unix.Close(w.stop[0])
}
