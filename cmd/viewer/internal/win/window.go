// Package win has the window. It is the only package of the viewer that uses the window system.
package win

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/cmd/viewer/internal/input"
)

// Window is the part of the program that the main thread uses. Only the main thread calls GLFW. The
// exceptions are functions that GLFW allows on the thread of the context.
type Window struct {
	*glfw.Window
	Queue *input.Queue
	calls chan func() // calls are functions that the render thread wants the main thread to call.

	iconified bool                     // minimised
	restored  struct{ x, y, w, h int } // restored is the position and size of the window before it filled the display.
	refresh   time.Duration            // refresh is the time between two refreshes of the displays. It is 0 if it is unknown.
	names     input.LayoutNames        // names are the names of the keys that were last sent to the render thread.
	cross     *glfw.Cursor             // cross is the crosshair cursor. It is made when it is first shown.
}

// If beforeGLFW is not nil, it is called before GLFW starts. The function that it returns is called
// once the window is open (see wmcheck_x11.go).
var beforeGLFW func() (after func())

// Open makes a window of a size in screen coordinates, and its context. The context is not current
// on any thread yet. Only the main thread may call Open.
func Open(title string, width, height int, hidden bool) (w *Window, err error) {
	if err := CheckDisplay(); err != nil {
		return nil, err
	}
	// If the display does not work, Init logs and returns nil, and later calls panic.
	var said bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&said)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no display: %s; without one, run: xvfb-run -a viewer -hidden ...", oneLine(said.String(), p))
		}
	}()
	if beforeGLFW != nil {
		defer beforeGLFW()()
	}
	if err := glfw.Init(); err != nil {
		return nil, fmt.Errorf("window system: %w", err)
	}
	hints(hidden)
	handle, err := glfw.CreateWindow(width, height, title, nil, nil)
	if err != nil || handle == nil {
		glfw.Terminate()
		return nil, fmt.Errorf("no OpenGL 4.1 window: %s", oneLine(said.String(), err))
	}
	w = &Window{Window: handle, Queue: input.NewQueue(), calls: make(chan func(), 16), refresh: displaysRefresh()}
	w.SetIcon(icons())
	w.listen()
	// On Wayland there may be no keyboard yet. GLFW would then abort if it were asked for the names of
	// keys.
	if !strings.Contains(glfw.GetVersionString(), "Wayland") {
		w.putLayout()
	}
	return w, nil
}

// hints sets the properties of the window and its context, before they are created.
func hints(hidden bool) {
	flag := map[bool]int{false: glfw.False, true: glfw.True}
	glfw.WindowHint(glfw.Visible, flag[!hidden])
	glfw.WindowHint(glfw.FocusOnShow, flag[!hidden])
	glfw.WindowHint(glfw.ScaleToMonitor, flag[!hidden])
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	glfw.WindowHintString(glfw.X11ClassName, "halfstep")
	glfw.WindowHintString(glfw.X11InstanceName, "halfstep")
	// The renderer smooths edges itself, and uses no depth buffer.
	glfw.WindowHint(glfw.Samples, 0)
	glfw.WindowHint(glfw.DepthBits, 0)
	glfw.WindowHint(glfw.StencilBits, 0)
}

// oneLine returns an error in one line: the last logged line, or p if nothing was logged.
func oneLine(said string, p any) string {
	if i := strings.LastIndex(strings.TrimSpace(said), "\n"); i >= 0 {
		said = said[i+1:]
	}
	if _, text, ok := strings.Cut(said, "Error: "); ok { // after the time
		said = text
	}
	if said = strings.TrimSpace(said); said != "" {
		return said
	}
	return strings.ReplaceAll(fmt.Sprint(p), "\n", " ")
}

// listen puts all events of the window system into the queue of the render thread.
func (w *Window) listen() {
	w.SetFocusCallback(func(_ *glfw.Window, on bool) {
		if on {
			w.putLayout()
		}
	})
	w.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, mods glfw.ModifierKey) {
		w.putLayout() // the user may have chosen another layout
		w.Queue.Put(input.Event{Kind: input.KeyInput, Key: input.Key(key), Action: input.Action(action), Mods: input.Mods(mods)})
	})
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		w.Queue.Put(input.Event{Kind: input.ButtonInput, Button: input.Button(b), Action: input.Action(action), Mods: input.Mods(mods)})
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		// Positions are in screen coordinates, which are not pixels on all systems.
		ww, wh := w.GetSize()
		fw, fh := w.GetFramebufferSize()
		if ww > 0 && wh > 0 {
			x, y = x*float64(fw)/float64(ww), y*float64(fh)/float64(wh)
		}
		w.Queue.Put(input.Event{Kind: input.CursorInput, X: x, Y: y})
	})
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		if !entered {
			w.Queue.Put(input.Event{Kind: input.LeaveInput})
		}
	})
	w.SetScrollCallback(func(_ *glfw.Window, _, y float64) {
		w.Queue.Put(input.Event{Kind: input.ScrollInput, Y: y})
	})
	w.SetFramebufferSizeCallback(func(*glfw.Window, int, int) { w.putSurface() })
	w.SetContentScaleCallback(func(*glfw.Window, float32, float32) { w.putSurface() })
	w.SetIconifyCallback(func(_ *glfw.Window, on bool) {
		w.iconified = on
		w.putSurface()
	})
	w.SetCharCallback(func(_ *glfw.Window, char rune) { w.Queue.Put(input.Event{Kind: input.CharInput, Char: char}) })
	w.SetDropCallback(func(_ *glfw.Window, paths []string) { w.Queue.Put(input.Event{Kind: input.DropInput, Paths: paths}) })
	glfw.SetMonitorCallback(func(*glfw.Monitor, glfw.PeripheralEvent) {
		w.refresh = displaysRefresh()
		w.putSurface()
	})
	w.SetCloseCallback(func(*glfw.Window) { w.Queue.Put(input.Event{Kind: input.QuitInput}) })
}

// putLayout sends the names of the keys to the render thread if they have changed.
func (w *Window) putLayout() {
	if names := readKeyNames(); !maps.Equal(names, w.names) {
		w.names = names
		w.Queue.Put(input.Event{Kind: input.LayoutInput, Names: names})
	}
}

func (w *Window) putSurface() {
	w.Queue.Put(input.Event{Kind: input.SurfaceInput, Surface: w.Surface()})
}

func (w *Window) Surface() input.Surface {
	if w.iconified {
		return input.Surface{}
	}
	s := input.Surface{Scale: 1, Refresh: w.refresh}
	s.W, s.H = w.GetFramebufferSize()
	if x, y := w.GetContentScale(); x > 0 && y > 0 {
		s.Scale = math.Max(float64(x), float64(y))
	}
	return s
}

// displaysRefresh returns the time between two refreshes of the displays. It returns 0 if the displays
// have different times, because not every window system says which display a window is on. Only the
// main thread may call it.
func displaysRefresh() time.Duration {
	var rates []int
	for _, m := range glfw.GetMonitors() {
		if mode := m.GetVideoMode(); mode != nil {
			rates = append(rates, mode.RefreshRate)
		}
	}
	return refreshOf(rates)
}

// refreshOf returns the time between two refreshes of displays with the given rates in Hz. If the
// rates differ it returns 0.
func refreshOf(rates []int) time.Duration {
	rates = slices.Compact(slices.Sorted(slices.Values(rates)))
	if len(rates) != 1 || rates[0] <= 0 {
		return 0
	}
	return time.Second / time.Duration(rates[0])
}

func (w *Window) Attach()        { w.MakeContextCurrent() }
func (w *Window) Detach()        { glfw.DetachCurrentContext() }
func (w *Window) Swap()          { w.SwapBuffers() }
func (w *Window) Interval(n int) { glfw.SwapInterval(n) }
func (w *Window) Title(s string) { w.call(func() { w.SetTitle(s) }) }

// Cursor shows a crosshair instead of the arrow if cross is true. Otherwise it shows the arrow.
func (w *Window) Cursor(cross bool) {
	w.call(func() {
		if !cross {
			w.SetCursor(nil)
			return
		}
		if w.cross == nil {
			w.cross = glfw.CreateStandardCursor(glfw.CrosshairCursor)
		}
		w.SetCursor(w.cross)
	})
}

// Fullscreen makes the window fill the display that shows most of the window. If the window already
// does so, Fullscreen restores it.
func (w *Window) Fullscreen() {
	w.call(func() {
		if at := &w.restored; w.GetMonitor() != nil {
			w.SetMonitor(nil, at.x, at.y, at.w, at.h, glfw.DontCare)
			return
		}
		at := &w.restored
		at.x, at.y = w.GetPos()
		at.w, at.h = w.GetSize()
		most, on := 0, glfw.GetPrimaryMonitor()
		for _, m := range glfw.GetMonitors() {
			x, y := m.GetPos()
			if mode := m.GetVideoMode(); mode != nil {
				wide, tall := min(at.x+at.w, x+mode.Width)-max(at.x, x), min(at.y+at.h, y+mode.Height)-max(at.y, y)
				if n := max(wide, 0) * max(tall, 0); n > most {
					most, on = n, m
				}
			}
		}
		if on == nil {
			return
		}
		if mode := on.GetVideoMode(); mode != nil {
			w.SetMonitor(on, 0, 0, mode.Width, mode.Height, mode.RefreshRate)
		}
	})
}

// call asks the main thread to call f soon. Any goroutine may call it.
func (w *Window) call(f func()) {
	select {
	case w.calls <- f:
		glfw.PostEmptyEvent()
	default: // a title is not important enough to wait
	}
}

// Serve runs render on another goroutine, and handles events until render returns. It wakes at least
// once a second, because a program that closes all windows of a process, such as taskkill, also closes
// GLFW's hidden window, and then PostEmptyEvent wakes nobody. To wake more often would take time from
// the render thread.
func (w *Window) Serve(render func() error) error {
	done, served, woken := make(chan error, 1), make(chan struct{}), make(chan struct{})
	go func() {
		done <- render()
		wakeUntil(served)
		close(woken)
	}()
	defer func() { close(served); <-woken }() // nothing calls GLFW after that
	for {
		select {
		case err := <-done:
			return err
		case f := <-w.calls:
			f()
		default:
			glfw.WaitEventsTimeout(1)
		}
	}
}

// wakeUntil wakes the main thread until noticed is closed. Under Wine a single event that arrives
// just before WaitEvents can be lost.
func wakeUntil(noticed <-chan struct{}) {
	for {
		glfw.PostEmptyEvent()
		select {
		case <-noticed:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Poll handles events. It is for a main thread that also draws. It waits up to rest seconds for an
// event.
func (w *Window) Poll(rest float64) {
	if rest > 0 {
		glfw.WaitEventsTimeout(rest)
	} else {
		glfw.PollEvents()
	}
	for {
		select {
		case f := <-w.calls:
			f()
		default:
			return
		}
	}
}

// Close closes the window. Only the main thread may call it, and the context must be detached.
func (w *Window) Close() {
	w.Destroy()
	glfw.Terminate()
}

// readKeyNames asks GLFW for the present layout. Only the main thread may call it.
func readKeyNames() input.LayoutNames {
	names := input.LayoutNames{}
	for place := glfw.KeyApostrophe; place <= glfw.KeyWorld2; place++ {
		if glfw.GetKeyScancode(place) > 0 {
			if name := glfw.GetKeyName(place, 0); name != "" {
				names[input.Key(place)] = strings.ToUpper(name)
			}
		}
	}
	return names
}
