//go:build linux && (amd64 || arm64)

package presenttimes

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"halfstep/renderloop/present"
)

// The C functions and data of libxcb and its extension Present.
var xcb struct {
	connect, disconnect, hasError, getFD, pollForEvent, generateID      uintptr
	queryExtension, queryExtensionReply, getExtensionData, requestCheck uintptr
	presentID, queryVersion, queryVersionReply, selectInputChecked      uintptr
	free                                                                uintptr
}

var loadXCB = sync.OnceValue(func() error {
	for library, symbols := range map[string]map[string]*uintptr{
		"libxcb.so.1": {
			"xcb_connect":               &xcb.connect,
			"xcb_disconnect":            &xcb.disconnect,
			"xcb_connection_has_error":  &xcb.hasError,
			"xcb_get_file_descriptor":   &xcb.getFD,
			"xcb_poll_for_event":        &xcb.pollForEvent,
			"xcb_generate_id":           &xcb.generateID,
			"xcb_get_extension_data":    &xcb.getExtensionData,
			"xcb_query_extension":       &xcb.queryExtension,
			"xcb_query_extension_reply": &xcb.queryExtensionReply,
			"xcb_request_check":         &xcb.requestCheck,
		},
		"libxcb-present.so.0": {
			"xcb_present_id":                   &xcb.presentID,
			"xcb_present_query_version":        &xcb.queryVersion,
			"xcb_present_query_version_reply":  &xcb.queryVersionReply,
			"xcb_present_select_input_checked": &xcb.selectInputChecked,
		},
		"libc.so.6": {"free": &xcb.free},
	} {
		if err := load(library, symbols); err != nil {
			return err
		}
	}
	return nil
})

const (
	// completeNotifyMask requests events about the completion of presents. A NotifyMSC
	// request would disturb the timing of the window's own presents.
	completeNotifyMask = 2
	genericEvent       = 35
	completeNotify     = 1
	presentedPixmap    = 0 // kind
	presentSkipped     = 2 // mode
	// earlyEvents is a number of events that surely include the event of the first
	// present.
	earlyEvents = 16
)

// completeEvent is xcb_present_complete_notify_event_t.
type completeEvent struct {
	responseType, extension uint8
	_                       uint16
	_                       uint32
	eventType               uint16
	kind, mode              uint8
	_, _                    uint32 // event, window
	serial                  uint32
	ust                     [2]uint32 // µs, on the monotonic clock
}

// x11 is a Source on X11. It has a connection of its own.
type x11 struct {
	reorderQueue
	connection uintptr
	opcode     uint8
	quality    present.Quality
	stop       [2]int // the two ends of a pipe that ends listen
	done       chan struct{}

	first uint32          // serial of the first present; the driver counts presents
	early []completeEvent // the events before first is known, which may come in any order
}

// OpenX11 returns a Source for a window on the X server that DISPLAY names. Call it on
// any thread, before the first swap. The error wraps ErrNone if the server does not
// report times.
//
// XWayland reports the times of its own timer, and not those of the display. State
// says that. NVIDIA's driver does not answer.
func OpenX11(window uint32) (Source, error) { return openX11("", window) }

// openX11 opens a Source on the display with a name. The name "" stands for the
// display in DISPLAY.
func openX11(display string, window uint32) (Source, error) {
	if err := loadXCB(); err != nil {
		return nil, err
	}
	var pin pinned
	defer pin.Unpin()
	x := &x11{connection: call(xcb.connect, pin.text(display), 0), quality: present.VerticalBlank, done: make(chan struct{}), early: []completeEvent{}}
	if err := x.ask(window); err != nil {
		call(xcb.disconnect, x.connection)
		return nil, err
	}
	go x.listen()
	return x, nil
}

func (x *x11) ask(window uint32) error {
	c := x.connection
	if int32(call(xcb.hasError, c)) != 0 {
		return fmt.Errorf("%w: no second connection to the X server", ErrNone)
	}
	data := call(xcb.getExtensionData, c, xcb.presentID)
	if data == 0 || *(*uint8)(at(data + 8)) == 0 { // 8: after response type, sequence and length
		return fmt.Errorf("%w: the X server has no Present extension", ErrNone)
	}
	x.opcode = *(*uint8)(at(data + 9))
	// before this request the server rejects all others of the extension
	call(xcb.free, call(xcb.queryVersionReply, c, call(xcb.queryVersion, c, 1, 0), 0))
	if x.has("XWAYLAND") {
		x.quality = present.MadeUp
	}
	refused := call(xcb.requestCheck, c, call(xcb.selectInputChecked, c, call(xcb.generateID, c), uintptr(window), completeNotifyMask))
	if refused != 0 {
		call(xcb.free, refused)
		return fmt.Errorf("%w: the X server does not know the window", ErrNone)
	}
	if err := unix.Pipe2(x.stop[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("present times: %w", err)
	}
	return nil
}

func (x *x11) has(name string) bool {
	var pin pinned
	defer pin.Unpin()
	cookie := call(xcb.queryExtension, x.connection, uintptr(len(name)), pin.text(name))
	reply := call(xcb.queryExtensionReply, x.connection, cookie, 0)
	if reply == 0 {
		return false
	}
	defer call(xcb.free, reply)
	return *(*uint8)(at(reply + 8)) != 0
}

// listen reads events until the Source is closed.
func (x *x11) listen() {
	defer close(x.done)
	for {
		for e := call(xcb.pollForEvent, x.connection); e != 0; e = call(xcb.pollForEvent, x.connection) {
			event := *(*completeEvent)(at(e))
			call(xcb.free, e)
			if event.responseType&0x7f == genericEvent && event.extension == x.opcode && event.eventType == completeNotify && event.kind == presentedPixmap {
				x.complete(&event)
			}
		}
		if int32(call(xcb.hasError, x.connection)) != 0 || !x.wait() {
			return
		}
	}
}

// wait waits until there is data to read. It returns false if the Source is closed.
func (x *x11) wait() bool {
	fds := []unix.PollFd{{Fd: int32(call(xcb.getFD, x.connection)), Events: unix.POLLIN}, {Fd: int32(x.stop[0]), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && fds[1].Revents == 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) == 0
	}
}

func (x *x11) complete(e *completeEvent) {
	if x.early != nil {
		if x.early = append(x.early, *e); len(x.early) < earlyEvents {
			return
		}
		early := x.early
		x.early = nil
		x.first = slices.MinFunc(early, func(a, b completeEvent) int { return int(int32(a.serial - b.serial)) }).serial
		for i := range early {
			x.complete(&early[i])
		}
		return
	}
	t := Time{Quality: x.quality}
	if e.mode != presentSkipped {
		t.Seen = wallTime(unix.CLOCK_MONOTONIC, (int64(e.ust[1])<<32|int64(e.ust[0]))*int64(time.Microsecond))
	}
	x.take(uint64(e.serial-x.first), t)
}

func (x *x11) Swapping(frame uint64) { x.swapping(frame) }

func (x *x11) State() string { return x.state("Present") }

func (x *x11) Close() {
	unix.Close(x.stop[1])
	<-x.done
	unix.Close(x.stop[0])
	call(xcb.disconnect, x.connection)
}
