//go:build linux && (amd64 || arm64)

package presenttimes

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"halfstep/renderloop/present"
)

// The C functions and data of libwayland-client.
var wl struct {
	createQueue, destroyQueue, roundtripQueue, dispatchQueuePending            uintptr
	createWrapper, destroyWrapper, setQueue, destroy, addDispatcher, construct uintptr
	registryInterface, surfaceInterface, outputInterface                       uintptr

	dispatcher uintptr // a callback
	memory     pinned
	sources    [8]atomic.Pointer[wayland]
}

var loadWayland = sync.OnceValue(func() error {
	err := load("libwayland-client.so.0", map[string]*uintptr{
		"wl_display_create_queue":                      &wl.createQueue,
		"wl_event_queue_destroy":                       &wl.destroyQueue,
		"wl_display_roundtrip_queue":                   &wl.roundtripQueue,
		"wl_display_dispatch_queue_pending":            &wl.dispatchQueuePending,
		"wl_proxy_create_wrapper":                      &wl.createWrapper,
		"wl_proxy_wrapper_destroy":                     &wl.destroyWrapper,
		"wl_proxy_set_queue":                           &wl.setQueue,
		"wl_proxy_destroy":                             &wl.destroy,
		"wl_proxy_add_dispatcher":                      &wl.addDispatcher,
		"wl_proxy_marshal_array_constructor_versioned": &wl.construct,
		"wl_registry_interface":                        &wl.registryInterface,
		"wl_surface_interface":                         &wl.surfaceInterface,
		"wl_output_interface":                          &wl.outputInterface,
	})
	if err == nil {
		describePresentation()
		wl.dispatcher = purego.NewCallback(dispatchWayland)
	}
	return err
})

// The layouts of libwayland.
type (
	wlInterface struct {
		name        uintptr
		version     int32
		methodCount int32
		methods     uintptr
		eventCount  int32
		_           int32
		events      uintptr
	}
	wlMessage struct{ name, signature, types uintptr }
)

// presentation and feedback describe the protocol "presentation time" for libwayland.
var presentation, feedback wlInterface

func describePresentation() {
	text := wl.memory.text
	types := func(t ...uintptr) uintptr { return wl.memory.pointer(unsafe.Pointer(unsafe.SliceData(t))) }
	messages := func(m ...wlMessage) uintptr { return wl.memory.pointer(unsafe.Pointer(unsafe.SliceData(m))) }
	forFeedback := wl.memory.pointer(unsafe.Pointer(&feedback))
	presentation = wlInterface{
		name: text("wp_presentation"), version: 1,
		methodCount: 2, methods: messages(
			wlMessage{text("destroy"), text(""), types(0)},
			wlMessage{text("feedback"), text("on"), types(wl.surfaceInterface, forFeedback)},
		),
		eventCount: 1, events: messages(wlMessage{text("clock_id"), text("u"), types(0)}),
	}
	feedback = wlInterface{
		name: text("wp_presentation_feedback"), version: 1,
		eventCount: 3, events: messages(
			wlMessage{text("sync_output"), text("o"), types(wl.outputInterface)},
			wlMessage{text("presented"), text("uuuuuuu"), types(0, 0, 0, 0, 0, 0, 0)},
			wlMessage{text("discarded"), text(""), types(0)},
		),
	}
}

// Opcodes of requests, and of events.
const (
	displayGetRegistry   = 1
	registryBind         = 0
	presentationFeedback = 1

	registryGlobal     = 0
	presentationClock  = 0
	feedbackPresented  = 1
	feedbackDiscarded  = 2
	kindVsync          = 1
	kindHardwareClock  = 2
	presentationObject = 1 // kinds of key
	registryObject     = 2
	feedbackObject     = 3
)

// key says for which object an event is: the source, the kind of object and, for a
// feedback, the swap. libwayland returns the key with every event.
func key(source, kind int, swap uint64) uintptr {
	return uintptr(source) | uintptr(kind)<<4 | uintptr(swap)<<8
}

type wayland struct {
	reorderQueue
	index   int
	display uintptr
	surface uintptr
	queue   uintptr
	bell    chan struct{} // has a capacity of 1
	done    chan struct{}

	registry, presentation uintptr // proxies
	name                   uint32  // the name of wp_presentation in the registry
	clock                  int32
	args                   [4]uintptr // arguments of the render thread's requests
	calls                  [5]uintptr // arguments of the render thread's calls, which would be allocated otherwise

	// asking has the proxies for the frames without an answer, by swap. If all places are
	// in use, as when the window is not shown at all, no answer is requested.
	asking [1024]atomic.Uintptr

	pin pinned
}

// OpenWayland returns a Source for a surface (wl_surface) of a display (wl_display).
// Call it on any thread, before the first swap. The program must handle the window's
// events as usual, because the answers are read together with them. The error wraps
// ErrNone if the compositor does not report times.
func OpenWayland(display, surface uintptr) (Source, error) {
	if err := loadWayland(); err != nil {
		return nil, err
	}
	w := &wayland{
		display: display, surface: surface, index: -1, clock: unix.CLOCK_MONOTONIC,
		bell: make(chan struct{}, 1), done: make(chan struct{}),
	}
	for i := range wl.sources {
		if wl.sources[i].CompareAndSwap(nil, w) {
			w.index = i
			break
		}
	}
	if w.index < 0 {
		return nil, fmt.Errorf("%w: too many windows", ErrNone)
	}
	w.pin.Pin(w)
	if err := w.bind(); err != nil {
		w.free()
		return nil, err
	}
	go w.listen()
	return w, nil
}

func (w *wayland) bind() error {
	w.queue = call(wl.createQueue, w.display)
	wrapper := call(wl.createWrapper, w.display)
	if w.queue == 0 || wrapper == 0 {
		return fmt.Errorf("%w: out of memory", ErrNone)
	}
	defer call(wl.destroyWrapper, wrapper)
	call(wl.setQueue, wrapper, w.queue)
	args := [4]uintptr{}
	w.pin.Pin(&args)
	w.registry = call(wl.construct, wrapper, displayGetRegistry, uintptr(unsafe.Pointer(&args)), wl.registryInterface, 1)
	call(wl.addDispatcher, w.registry, wl.dispatcher, key(w.index, registryObject, 0), 0)
	if int32(call(wl.roundtripQueue, w.display, w.queue)) < 0 || w.name == 0 {
		return fmt.Errorf("%w: the compositor has no wp_presentation", ErrNone)
	}
	args = [4]uintptr{uintptr(w.name), presentation.name, 1, 0}
	w.presentation = call(wl.construct, w.registry, registryBind, uintptr(unsafe.Pointer(&args)), uintptr(unsafe.Pointer(&presentation)), 1)
	call(wl.addDispatcher, w.presentation, wl.dispatcher, key(w.index, presentationObject, 0), 0)
	if int32(call(wl.roundtripQueue, w.display, w.queue)) < 0 {
		return fmt.Errorf("%w: the connection to the compositor broke", ErrNone)
	}
	return nil
}

func (w *wayland) free() {
	for i := range w.asking {
		if proxy := w.asking[i].Load(); proxy != 0 {
			call(wl.destroy, proxy)
		}
	}
	for _, proxy := range []uintptr{w.presentation, w.registry} {
		if proxy != 0 {
			call(wl.destroy, proxy)
		}
	}
	if w.queue != 0 {
		call(wl.destroyQueue, w.queue)
	}
	wl.sources[w.index].Store(nil)
	w.pin.Unpin()
}

// listen handles the events of the queue, whenever the render thread rings. It does not
// read from the connection, because a thread that is about to read blocks all other
// readers, and so also the swap. The thread that handles the window's events reads
// these events, too.
func (w *wayland) listen() {
	defer close(w.done)
	for range w.bell {
		call(wl.dispatchQueuePending, w.display, w.queue)
	}
}

// dispatchWayland is called by libwayland for each event.
func dispatchWayland(implementation, target, opcode, _, args uintptr) uintptr {
	w := wl.sources[implementation&15].Load()
	if w == nil {
		return 0
	}
	switch arg := (*[7]uint64)(at(args)); implementation >> 4 & 15 {
	case registryObject:
		if uint32(opcode) == registryGlobal && cString(uintptr(arg[1])) == "wp_presentation" {
			w.name = uint32(arg[0])
		}
	case presentationObject:
		if uint32(opcode) == presentationClock {
			w.clock = int32(uint32(arg[0]))
		}
	case feedbackObject:
		w.fed(target, uint64(implementation>>8), uint32(opcode), arg)
	}
	return 0
}

func (w *wayland) fed(proxy uintptr, swap uint64, opcode uint32, arg *[7]uint64) {
	t := Time{Quality: present.VerticalBlank}
	switch opcode {
	case feedbackPresented:
		// The arguments are 32 bits in unions of 64 bits.
		u := func(i int) int64 { return int64(uint32(arg[i])) }
		t.Seen = wallTime(w.clock, (u(0)<<32|u(1))*int64(time.Second)+u(2))
		t.Refresh = time.Duration(u(3))
		switch flags := u(6); {
		case flags&kindHardwareClock != 0:
			t.Quality = present.HardwareClock
		case flags&kindVsync == 0 && t.Refresh == 0:
			t.Quality = present.MadeUp
		}
	case feedbackDiscarded:
	default:
		return
	}
	call(wl.destroy, proxy)
	w.slot(swap).Store(0)
	w.take(swap, t)
}

func cString(p uintptr) string {
	n := 0
	for *(*byte)(at(p + uintptr(n))) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(at(p)), n))
}

// Swapping requests feedback on the next commit of the surface, which the swap makes.
func (w *wayland) Swapping(frame uint64) {
	swap := w.swapping(frame)
	slot := w.slot(swap)
	if slot.Load() != 0 {
		return
	}
	w.args = [4]uintptr{w.surface, 0}
	w.calls = [5]uintptr{w.presentation, presentationFeedback, uintptr(unsafe.Pointer(&w.args)), uintptr(unsafe.Pointer(&feedback)), 1}
	proxy := call(wl.construct, w.calls[:5]...)
	if proxy != 0 {
		slot.Store(proxy)
		w.calls = [5]uintptr{proxy, wl.dispatcher, key(w.index, feedbackObject, swap), 0}
		call(wl.addDispatcher, w.calls[:4]...)
	}
}

func (w *wayland) slot(swap uint64) *atomic.Uintptr { return &w.asking[swap%uint64(len(w.asking))] }

func (w *wayland) Next(t *Time) bool {
	if w.ring.Next(t) {
		return true
	}
	select {
	case w.bell <- struct{}{}:
	default:
	}
	return false
}

func (w *wayland) State() string { return w.state("wp_presentation") }

func (w *wayland) Close() {
	close(w.bell)
	<-w.done
	w.free()
}
