//go:build linux && (amd64 || arm64)

package presenttimes

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"halfstep/renderloop/present"
)

// xvfb starts an X server without a screen, and returns the name of its display.
func xvfb(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("Xvfb is not installed")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	number, _ := io.ReadAll(io.LimitReader(r, 16))
	if len(number) == 0 {
		t.Fatal("Xvfb does not start")
	}
	return ":" + strings.TrimSpace(string(number))
}

// xClient is a program that presents pixmaps in a window.
type xClient struct {
	connection, window, pixmap uintptr
	present, flush             uintptr
}

func newXClient(t *testing.T, display string) *xClient {
	t.Helper()
	if err := loadXCB(); err != nil {
		t.Skip(err)
	}
	var setup, roots, createWindow, mapWindow, createPixmap uintptr
	c := &xClient{}
	if err := errors.Join(load("libxcb.so.1", map[string]*uintptr{
		"xcb_get_setup": &setup, "xcb_setup_roots_iterator": &roots, "xcb_create_window": &createWindow,
		"xcb_map_window": &mapWindow, "xcb_create_pixmap": &createPixmap, "xcb_flush": &c.flush,
	}), load("libxcb-present.so.0", map[string]*uintptr{"xcb_present_pixmap": &c.present})); err != nil {
		t.Fatal(err)
	}
	var pin pinned
	defer pin.Unpin()
	c.connection = call(xcb.connect, pin.text(display), 0)
	if int32(call(xcb.hasError, c.connection)) != 0 {
		t.Fatal("no connection to " + display)
	}
	t.Cleanup(func() { call(xcb.disconnect, c.connection) })
	screen := call(roots, call(setup, c.connection))
	root, visual := *(*uint32)(at(screen)), *(*uint32)(at(screen + 32))
	c.window, c.pixmap = call(xcb.generateID, c.connection), call(xcb.generateID, c.connection)
	const depth, inputOutput = 24, 1
	call(createWindow, c.connection, depth, c.window, uintptr(root), 0, 0, 64, 48, 0, inputOutput, uintptr(visual), 0, 0)
	call(createPixmap, c.connection, depth, c.pixmap, c.window, 64, 48)
	call(mapWindow, c.connection, c.window)
	call(c.flush, c.connection)
	// the server has a window only when it has read the requests
	call(xcb.free, call(xcb.queryVersionReply, c.connection, call(xcb.queryVersion, c.connection, 1, 0), 0))
	return c
}

// swap presents the pixmap, as a driver does when it swaps buffers.
func (c *xClient) swap(serial uint32) {
	call(c.present, c.connection, c.window, c.pixmap, uintptr(serial), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	call(c.flush, c.connection)
}

// collect takes n times. After ten seconds it returns those that have come.
func collect(s Source, n int) (times []Time) {
	var t Time
	for end := time.Now().Add(10 * time.Second); len(times) < n && time.Now().Before(end); {
		if s.Next(&t) {
			times = append(times, t)
		} else {
			time.Sleep(time.Millisecond)
		}
	}
	return times
}

func TestX11TellsWhatBecameOfEachPresent(t *testing.T) {
	display := xvfb(t)
	c := newXClient(t, display)
	s, err := openX11(display, uint32(c.window))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const frames = 120
	swapped := map[uint64]time.Time{}
	for i := range uint64(frames) {
		frame := 5 + 2*i // a program may skip numbers
		swapped[frame] = time.Now()
		s.Swapping(frame)
		c.swap(uint32(9 + i)) // a driver may begin at any number
		time.Sleep(4 * time.Millisecond)
	}
	times := collect(s, frames)
	if len(times) < frames {
		t.Fatalf("%d of %d presents are known", len(times), frames)
	}
	last, seen, never := time.Time{}, 0, 0
	for i, at := range times {
		if i > 0 && at.Frame <= times[i-1].Frame {
			t.Fatalf("frame %d follows %d", at.Frame, times[i-1].Frame)
		}
		if at.Seen.IsZero() {
			never++
			continue
		}
		seen++
		if d := at.Seen.Sub(swapped[at.Frame]); d < -time.Millisecond || d > 5*time.Second || at.Seen.Before(last) {
			t.Errorf("frame %d was seen %v after its swap", at.Frame, d)
		}
		if at.Quality != present.VerticalBlank {
			t.Errorf("frame %d: %v", at.Frame, at.Quality)
		}
		last = at.Seen
	}
	// the server has 60 refreshes a second for 250 presents
	if seen == 0 || never == 0 {
		t.Errorf("%d presents were seen and %d never", seen, never)
	}
	if got := s.State(); got != "Present: vertical blank" {
		t.Error(got)
	}
}

func TestX11WithoutAnswersSaysSo(t *testing.T) {
	display := xvfb(t)
	c := newXClient(t, display)
	s, err := openX11(display, uint32(c.window))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.State(); got != "Present: waiting" {
		t.Error(got)
	}
	for i := range uint64(patience + 1) {
		s.Swapping(i) // this is how it is with a driver that does not use the extension
	}
	if got := s.State(); got != "Present: no answer" {
		t.Error(got)
	}
}

func TestX11ThatIsNotThereIsAnError(t *testing.T) {
	if _, err := openX11(":7654", 1); !errors.Is(err, ErrNone) {
		t.Errorf("no server: %v", err)
	}
	if _, err := openX11(xvfb(t), 12345); !errors.Is(err, ErrNone) {
		t.Errorf("no window: %v", err)
	}
}

func TestAFrameAsksWithoutAllocating(t *testing.T) {
	display := xvfb(t)
	c := newXClient(t, display)
	s, err := openX11(display, uint32(c.window))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	i, at := uint64(0), Time{}
	if n := testing.AllocsPerRun(500, func() {
		i++
		s.Swapping(i)
		for s.Next(&at) {
		}
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
