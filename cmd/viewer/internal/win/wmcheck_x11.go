//go:build linux && !wayland

package win

/*
#cgo LDFLAGS: -lX11
#include <X11/Xatom.h>
#include <X11/Xlib.h>

static int failed(Display *d, XErrorEvent *e) { return 0; }

// The window that a property names, or 0.
static Window named(Display *d, Window of, Atom property) {
	Atom type;
	int format;
	unsigned long n, more;
	unsigned char *data = NULL;
	Window w = 0;
	if (XGetWindowProperty(d, of, property, 0, 1, False, XA_WINDOW, &type, &format, &n, &more, &data) == Success && data) {
		if (n == 1 && format == 32) w = *(Window *)data;
		XFree(data);
	}
	return w;
}

static Display *forgetDeadManager(void) {
	Display *d = XOpenDisplay(NULL);
	if (!d) return d;
	XErrorHandler before = XSetErrorHandler(failed);
	Atom check = XInternAtom(d, "_NET_SUPPORTING_WM_CHECK", False);
	Window root = DefaultRootWindow(d), manager = named(d, root, check);
	if (manager && !named(d, manager, check)) XDeleteProperty(d, root, check);
	XSync(d, False);
	XSetErrorHandler(before);
	return d;
}
*/
import "C"

// If a window manager has died, a property of the root window still names its window.
// forgetDeadManager removes this property. Otherwise GLFW 3.3 would read from that window, get an
// error, leave its error handler installed, and abort at the next error. The connection stays open
// until GLFW has its own connection, because an X server may reset when its last client leaves.
func init() {
	beforeGLFW = func() (after func()) {
		d := C.forgetDeadManager()
		return func() {
			if d != nil {
				C.XCloseDisplay(d)
			}
		}
	}
}
