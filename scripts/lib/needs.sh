# Functions that check what the other scripts need and, on Debian and Ubuntu,
# install it. Source this file with "." from the root of the project. POSIX sh.
# shellcheck shell=sh

# The packages that need neither cgo nor a window.
# shellcheck disable=SC2034
core='./engine/... ./world/... ./box/... ./internal/box/... ./physicsloop/... ./buffer/... ./internal/history/... ./renderloop ./renderloop/clock ./internal/frametrace ./internal/meter ./renderloop/frametime ./renderloop/internal/pacing ./renderloop/present ./renderloop/scene ./cmd/smoothness ./cmd/viewer/scenes ./test/scenehash ./internal/monotime ./internal/atomic'

# A program that is built with -race sleeps for a second before it exits, and the tests start
# hundreds of them.
export GORACE="${GORACE:-atexit_sleep_ms=50}"

say() { printf '%s\n' "$*" >&2; }

die() {
	say "$@"
	exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

has_display() {
	case $(uname -s) in
	Linux | *BSD) [ -n "${DISPLAY:-}" ] ;;
	*) true ;;
	esac
}

# as_root COMMAND...: runs it as root, with sudo if necessary.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

apt_fresh=
apt_update() {
	[ -z "$apt_fresh" ] || return 0
	apt_fresh=yes
	as_root apt-get -q update >&2 || say 'apt-get update failed; continuing with the old package lists.'
}

apt_install() {
	[ "$(id -u)" -eq 0 ] || have sudo || die "Packages are missing, and there is no sudo to install them with. As root:
  apt-get install $*"
	say "Installing: $*"
	apt_update
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >&2 ||
		die "Could not install: $*"
}

# can_link: there are a C compiler, pkg-config, and GL and X11 to link with.
can_link() {
	have "${CC:-gcc}" || return 1
	case $(uname -s) in Linux | *BSD) ;; *) return 0 ;; esac
	have pkg-config && pkg-config --exists gl || return 1
	"${CC:-gcc}" -x c -o /dev/null - -lGL -lX11 -lXcursor -lXrandr -lXinerama -lXi -lXxf86vm >/dev/null 2>&1 <<-'END'
		#include <GL/gl.h>
		#include <X11/Xlib.h>
		#include <X11/Xcursor/Xcursor.h>
		#include <X11/extensions/Xrandr.h>
		#include <X11/extensions/Xinerama.h>
		#include <X11/extensions/XInput2.h>
		#include <X11/extensions/xf86vmode.h>
		int main(void) { return 0; }
	END
}

# can_draw: there is a display, or everything that a virtual one needs.
can_draw() {
	has_display && return
	have xvfb-run && have xauth || return 1
	! have dpkg-query || dpkg-query -W -f '${Status}' libgl1-mesa-dri 2>/dev/null | grep -q ' installed'
}

# other_systems WHAT: fails, and says what to install on systems without apt.
other_systems() {
	if [ "$(uname -s)" = Darwin ]; then
		die "$1 missing. Install with:
  xcode-select --install; brew install go"
	elif have dnf; then
		die "$1 missing. Install with:
  sudo dnf install golang gcc pkgconf-pkg-config mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel xorg-x11-server-Xvfb xorg-x11-xauth mesa-dri-drivers"
	elif have pacman; then
		die "$1 missing. Install with:
  sudo pacman -S --needed go gcc pkgconf libglvnd libx11 libxcursor libxrandr libxinerama libxi libxxf86vm xorg-server-xvfb xorg-xauth mesa"
	fi
	die "$1 missing. Needed: Go 1.21 or later, a C compiler, pkg-config, the development files of GL, X11, Xcursor, Xrandr, Xinerama, Xi and Xxf86vm, and without a display Xvfb with xvfb-run and xauth."
}

# go_minor: prints N if the go in PATH is version 1.N, otherwise 0.
go_minor() {
	have go || {
		echo 0
		return
	}
	# In / there is no go.mod, so this is the installed version, not a downloaded one.
	(cd / && go version 2>/dev/null) | sed -n 's/.* go1\.\([0-9]*\).*/\1/p' | grep . || echo 0
}

# packaged_go: prints apt's newest package of Go, if that is 1.21 or later.
packaged_go() {
	minor=$(apt-cache policy golang-go 2>/dev/null | sed -n 's/.*Candidate: [0-9]*:*1\.\([0-9]*\).*/\1/p')
	if [ "${minor:-0}" -ge 21 ]; then
		echo golang-go
		return
	fi
	minor=$(apt-cache pkgnames golang-1. 2>/dev/null | sed -n 's/^golang-1\.\([0-9]*\)-go$/\1/p' | sort -n | tail -n 1)
	[ "${minor:-0}" -lt 21 ] || echo "golang-1.$minor-go"
}

# find_go: finds a Go 1.21 or later and puts it into PATH.
find_go() {
	[ "$(go_minor)" -ge 21 ] && return
	for dir in /usr/local/go/bin /opt/go/bin /usr/lib/go-1.*/bin /opt/homebrew/bin; do
		[ -x "$dir/go" ] || continue
		PATH=$dir:$PATH
		[ "$(go_minor)" -ge 21 ] && return
		PATH=${PATH#*:}
	done
	return 1
}

# need_go: makes sure that there is a Go that can build the project.
need_go() {
	if ! find_go; then
		have apt-get || other_systems 'Go 1.21 or later is'
		package=$(packaged_go)
		if [ -z "$package" ] && { [ "$(id -u)" -eq 0 ] || have sudo; }; then
			apt_update # the lists of a bare system are empty
			package=$(packaged_go)
		fi
		[ -n "$package" ] || die "Go is missing, and this system has no package of Go 1.21 or later.
Install it from https://go.dev/dl/ (to /usr/local/go) and run this again."
		apt_install "$package"
		find_go || die "Go 1.21 or later is missing: $package did not bring it."
	fi
	export PATH

	# Some distributions do not download newer toolchains by default. A setting of
	# the user stays.
	wanted=$(sed -n 's/^go 1\.\([0-9]*\).*/\1/p' go.mod)
	if [ "$(go_minor)" -lt "$wanted" ] && [ -z "${GOTOOLCHAIN:-}" ]; then
		export GOTOOLCHAIN=auto
	fi
	flags=$(go env GOFLAGS)
	case $flags in *toolexec*) ;; *)
		case $PWD in *' '*) ;; *) flags="$flags -toolexec=$PWD/scripts/lib/toolexec" ;; esac
		;;
	esac
	# scripts/lint vets all packages. Nobody debugs what the scripts build, and without
	# DWARF it is built sooner.
	export GOFLAGS="$flags -vet=off -gcflags=all=-dwarf=false -ldflags=-w"
	go version >/dev/null || die "go.mod asks for $(sed -n 's/^go //p' go.mod), and the installed Go cannot download that version. Install it from https://go.dev/dl/"
}

# need_all: makes sure that everything to build and to draw is installed.
need_all() {
	if can_link && can_draw && { ! have apt-get || [ -e /etc/ssl/certs/ca-certificates.crt ]; }; then
		need_go
		return
	fi
	have apt-get || other_systems 'A tool or library for building or drawing is'
	apt_install ca-certificates gcc libc6-dev pkg-config libgl-dev libx11-dev libxcursor-dev \
		libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev xvfb xauth libgl1-mesa-dri
	can_link || die 'The packages are installed, but a program with GL and X11 does not link.'
	can_draw || die 'The packages are installed, but xvfb-run or xauth is missing.'
	need_go
}

# on_screen COMMAND...: runs it with a display, a virtual one if necessary.
on_screen() {
	if has_display; then
		"$@"
	else
		xvfb-run -a -s '-noreset -screen 0 1280x720x24' "$@"
	fi
}
