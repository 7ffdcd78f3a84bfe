//go:build wayland

// What GLFW 3.3 lacks under Wayland. Functions of the program come before those
// of libwayland with the same name, so each of these can do a little more than
// the one that it calls.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wayland-client-core.h>

// GLFW asks for the version of the seat even if the compositor has none, because
// it has no input devices.
uint32_t wl_proxy_get_version(struct wl_proxy *proxy)
{
	uint32_t (*next)(struct wl_proxy *) = dlsym(RTLD_NEXT, "wl_proxy_get_version");
	return proxy ? next(proxy) : 0;
}

// GLFW names no application, by which a desktop finds a window's icon and groups
// windows.
int wl_proxy_add_listener(struct wl_proxy *proxy, void (**listener)(void), void *data)
{
	const uint32_t set_app_id = 3; // request of xdg_toplevel
	int (*next)(struct wl_proxy *, void (**)(void), void *) = dlsym(RTLD_NEXT, "wl_proxy_add_listener");
	if (strcmp(wl_proxy_get_class(proxy), "xdg_toplevel") == 0)
		wl_proxy_marshal(proxy, set_app_id, "halfstep");
	return next(proxy, listener, data);
}
