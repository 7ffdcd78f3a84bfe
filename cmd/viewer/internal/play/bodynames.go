package play

import (
	"fmt"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/world"
)

// BodyName returns the name of a body. If the body has no name, it returns a text with the handle.
func BodyName(name string, b world.Body) string {
	if name == "" {
		return b.String()
	}
	return words.Printable(name)
}

// label returns the name of the body in a slot. If the body has no name, it returns # and the
// slot.
func label(v *View, slot int) string {
	if name := v.Scene.Bodies[slot].Name; name != "" {
		return words.Printable(name)
	}
	return "#" + strconv.Itoa(slot)
}

// freshNames makes names that no body has. It remembers the names that it has made during one
// change, because the picture does not have the bodies of that change yet.
type freshNames map[string]bool

// like returns a new name, such as "wheel 3" for a copy of "wheel" or of "wheel 2".
func (f freshNames) like(p *Player, name string) string {
	kind, n := name, 1
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		if x, err := strconv.Atoi(name[i+1:]); err == nil && x > 0 {
			kind, n = name[:i], x
		}
	}
	for f[name] || p.Has(name) {
		n++
		name = fmt.Sprint(kind, " ", n)
	}
	f[name] = true
	return name
}
