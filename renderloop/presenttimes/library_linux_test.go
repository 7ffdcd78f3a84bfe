//go:build linux && (amd64 || arm64)

package presenttimes

import (
	"errors"
	"testing"
)

// The render thread calls C functions in each frame.
func TestACallWithItsArgumentsAtHandAllocatesNothing(t *testing.T) {
	if err := load("libc.so.6", nil); err != nil {
		t.Skip(err)
	}
	var abs uintptr
	if err := load("libc.so.6", map[string]*uintptr{"abs": &abs}); err != nil {
		t.Fatal(err)
	}
	args := new([5]uintptr)
	args[0] = 7
	if n := testing.AllocsPerRun(1000, func() {
		if call(abs, args[:5]...) != 7 {
			t.Fatal("not 7")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestALibraryThatIsNotThereIsAnError(t *testing.T) {
	if err := load("libnothing-of-the-kind.so.1", nil); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if err := load("libc.so.6", nil); err != nil {
		t.Skip(err)
	}
	var f uintptr
	if err := load("libc.so.6", map[string]*uintptr{"no_such_function": &f}); !errors.Is(err, ErrNone) || f != 0 {
		t.Error(err)
	}
	if _, err := OpenWindows(); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
