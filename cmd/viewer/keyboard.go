package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// layoutNames are the characters that a keyboard has on its keys, by place. GLFW names the place of a
// key by the key that a US keyboard has there.
type layoutNames map[glfw.Key]string

// usLayout stands for a US keyboard, until the main thread has sent the layout.
var usLayout layoutNames

// readKeyNames asks GLFW for the present layout. Only the main thread may call it.
func readKeyNames() layoutNames {
	names := layoutNames{}
	for place := glfw.KeyApostrophe; place <= glfw.KeyWorld2; place++ {
		if glfw.GetKeyScancode(place) > 0 {
			if name := glfw.GetKeyName(place, 0); name != "" {
				names[place] = strings.ToUpper(name)
			}
		}
	}
	return names
}

// keyboard says which keys of the user's layout the actions have.
type keyboard struct {
	meant  map[glfw.Key]glfw.Key // the key of action.keys that each place stands for; if missing: the place itself
	labels map[string]string     // the keys of an action as the help shows them, by the action's name
}

// newKeyboard gives each action the key on which the layout has its letter or sign. Digits stay where
// a US keyboard has them: every layout has them there, even if some need Shift. A sign that the layout
// has on no key stays where a US keyboard has it, unless that key belongs to another action.
func newKeyboard(names layoutNames) keyboard {
	all := map[glfw.Key]bool{}
	for _, a := range actions {
		for _, key := range a.keys {
			all[key] = true
		}
	}
	digit := func(place glfw.Key) bool { return place >= glfw.Key0 && place <= glfw.Key9 }
	k := keyboard{map[glfw.Key]glfw.Key{}, map[string]string{}}
	printed := map[glfw.Key]string{}
	for _, place := range slices.Sorted(maps.Keys(names)) {
		if key := keyNamed(names[place]); !digit(place) && all[key] {
			k.meant[place], printed[key] = key, names[place]
		}
	}
	for place, name := range names {
		if _, taken := k.meant[place]; taken || digit(place) || !all[place] {
			continue
		}
		if k.meant[place] = glfw.KeyUnknown; printed[place] == "" {
			k.meant[place], printed[place] = place, name
		}
	}
	for _, a := range actions {
		var labels []string
		for _, key := range a.keys {
			label := keyNames[key]
			switch {
			case label != "" || key >= glfw.KeyKP0 && key <= glfw.KeyKPEqual: // the keypad repeats other keys
			case digit(key) || len(names) == 0:
				label = string(rune(key))
			default:
				label = printed[key]
			}
			if label == "=" {
				label = "+"
			}
			if label != "" {
				labels = append(labels, label)
			}
		}
		k.labels[a.name] = strings.Join(labels, " ")
	}
	k.labels["time scale"] = k.first("slower") + " " + k.first("faster")
	k.labels["rate"] = k.first("rate down") + " " + k.first("rate up")
	k.labels["save"] += " " + k.labels["save as go"]
	return k
}

// keyNamed returns the key of that name on a US keyboard, or KeyUnknown. GLFW's key numbers are the
// characters.
func keyNamed(name string) glfw.Key {
	switch {
	case name == "+":
		return glfw.KeyEqual
	case len(name) == 1:
		return glfw.Key(name[0])
	}
	return glfw.KeyUnknown
}

// first returns the first key of the action of that name, as the panel shows it.
func (k *keyboard) first(name string) string {
	first, _, _ := strings.Cut(k.labels[name], " ")
	return first
}

// key returns the key that a place stands for in this layout.
func (k *keyboard) key(place glfw.Key) glfw.Key {
	if key, ok := k.meant[place]; ok {
		return key
	}
	return place
}

// keyNames are the keys that have their names on every layout.
var keyNames = map[glfw.Key]string{
	glfw.KeySpace: "Space", glfw.KeyPageDown: "PgDn", glfw.KeyPageUp: "PgUp", glfw.KeyBackspace: "Backspace",
	glfw.KeyHome: "Home", glfw.KeyEnd: "End", glfw.KeyDelete: "Del", glfw.KeyTab: "Tab", glfw.KeyEscape: "Esc",
	glfw.KeyLeft: "arrows", glfw.KeyRight: "arrows", glfw.KeyUp: "arrows", glfw.KeyDown: "arrows",
	glfw.KeyF1: "F1", glfw.KeyF2: "F2", glfw.KeyF3: "F3", glfw.KeyF4: "F4", glfw.KeyF5: "F5", glfw.KeyF6: "F6", glfw.KeyF7: "F7",
	glfw.KeyF8: "F8", glfw.KeyF9: "F9", glfw.KeyF10: "F10", glfw.KeyF11: "F11", glfw.KeyF12: "F12",
}
