package panel

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
)

// usLayout is used as the layout of a US keyboard until the main thread has sent the real layout.
var usLayout input.LayoutNames

// keyboard maps actions to keys of the user's layout.
type keyboard struct {
	keyForPlace map[input.Key]input.Key // keyForPlace gives the key of action.keys for the position of a key. If a position is missing, the key is the position itself.
	Labels      map[string]string       // Labels has the keys of an action for the help, by the action's name.
	quits       input.Key               // quits is the position of the key that quits.
}

// NewKeyboard gives each action the key on which the layout has the action's letter or sign. Digits
// keep their positions of a US keyboard: every layout has them there, even if some layouts need
// Shift. A sign that the layout has on no key keeps its US position, unless the key there belongs
// to another action.
func NewKeyboard(names input.LayoutNames) keyboard {
	all := map[input.Key]bool{}
	for _, a := range Actions {
		for _, key := range a.Keys {
			all[key] = true
		}
	}
	digit := func(place input.Key) bool { return place >= input.Key0 && place <= input.Key9 }
	k := keyboard{map[input.Key]input.Key{}, map[string]string{}, input.KeyQ}
	printed := map[input.Key]string{}
	for _, place := range slices.Sorted(maps.Keys(names)) {
		if key := keyNamed(names[place]); !digit(place) && all[key] {
			k.keyForPlace[place], printed[key] = key, names[place]
		}
	}
	for place, name := range names {
		if _, taken := k.keyForPlace[place]; taken || digit(place) || !all[place] {
			continue
		}
		if k.keyForPlace[place] = input.KeyUnknown; printed[place] == "" {
			k.keyForPlace[place], printed[place] = place, name
		}
	}
	for place, key := range k.keyForPlace {
		if key == input.KeyQ {
			k.quits = place
		}
	}
	for _, a := range Actions {
		var labels []string
		if a.ctrl != 0 {
			labels = append(labels, "Ctrl+"+cmp.Or(printed[a.ctrl], string(rune(a.ctrl))))
		}
		for _, key := range a.Keys {
			label := keyNames[key]
			switch {
			case label != "" || key >= input.KeyKP0 && key <= input.KeyKPEqual: // the keypad repeats other keys
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
		k.Labels[a.Name] = strings.Join(labels, " ")
	}
	k.Labels["time scale"] = k.First("slower") + " " + k.First("faster")
	k.Labels["rate"] = k.First("rate down") + " " + k.First("rate up")
	k.Labels["save"] += " " + k.Labels["save as go"]
	return k
}

// keyNamed returns the key of that name on a US keyboard, or KeyUnknown. The number of a key is its
// character.
func keyNamed(name string) input.Key {
	switch {
	case name == "+":
		return input.KeyEqual
	case len(name) == 1:
		return input.Key(name[0])
	}
	return input.KeyUnknown
}

// First returns the first key of the action of that name, as the panel shows it.
func (k *keyboard) First(name string) string {
	first, _, _ := strings.Cut(k.Labels[name], " ")
	return first
}

// QuitsAtOnce returns the position of the key that now quits without a question, or 0.
func (v *Panel) QuitsAtOnce() input.Key {
	if v.Ui != nil && v.Ui.Typing() || v.session.Changes.Moments.Unsaved() {
		return 0
	}
	return v.Keys.quits
}

// Key returns the key that this layout has at a position.
func (k *keyboard) Key(place input.Key) input.Key {
	if key, ok := k.keyForPlace[place]; ok {
		return key
	}
	return place
}

// keyNames are the keys that have the same name in every layout.
var keyNames = map[input.Key]string{
	input.KeySpace: "Space", input.KeyPageDown: "PgDn", input.KeyPageUp: "PgUp", input.KeyBackspace: "Backspace",
	input.KeyHome: "Home", input.KeyEnd: "End", input.KeyDelete: "Del", input.KeyTab: "Tab", input.KeyEscape: "Esc",
	input.KeyLeft: "arrows", input.KeyRight: "arrows", input.KeyUp: "arrows", input.KeyDown: "arrows",
	input.KeyF1: "F1", input.KeyF2: "F2", input.KeyF3: "F3", input.KeyF4: "F4", input.KeyF5: "F5", input.KeyF6: "F6", input.KeyF7: "F7",
	input.KeyF8: "F8", input.KeyF9: "F9", input.KeyF10: "F10", input.KeyF11: "F11", input.KeyF12: "F12",
}

var mouseHelp = []picture.HelpLine{
	{Key: "click", Does: "look into a body; Shift: several"},
	{Key: "left drag", Does: "pull a body; paused, move a body; pan"},
	{Key: "right click", Does: "create, copy, delete, pin; drag: pan"},
	{Key: "wheel", Does: "zoom to the cursor"},
	{Key: "drop a file", Does: "open a scene or a recording"},
}

// HelpLines returns the lines of the help: the mouse actions, and the keys by group.
func (k *keyboard) HelpLines() (lines []picture.HelpLine) {
	lines = append(lines, picture.HelpLine{Key: "Mouse"})
	lines = append(lines, mouseHelp...)
	title := ""
	for _, a := range Actions {
		if a.group != title {
			title = a.group
			lines = append(lines, picture.HelpLine{Key: title})
		}
		if label := k.Labels[a.Name]; a.does != "" && label != "" {
			lines = append(lines, picture.HelpLine{Key: spelled(label), Does: a.does})
		}
	}
	return lines
}

// spelled returns the keys. If the first key is a sign that is hard to read, its name is added.
func spelled(keys string) string {
	first, rest, _ := strings.Cut(keys, " ")
	return strings.TrimSpace(cmp.Or(keySymbols[first], first) + " " + rest)
}

var keySymbols = map[string]string{
	";": "; semicolon", "'": "' quote", ",": ", comma", ".": ". period", "-": "- minus", "+": "+ plus", "/": "/ slash",
}

// PressKey gives a key to the scene if the user drives the scene, and otherwise to the action of the
// key. The parameter taken says that a text field of the panel has used the key. Even then the scene
// gets the release, because it may have got the press.
func (v *Panel) PressKey(e *input.Event, taken bool) error {
	down := e.Action != input.Release
	key := v.Keys.Key(e.Key)
	if taken && down || v.drive(key, down) || !down {
		return nil
	}
	if e.Mods&input.ModControl != 0 && e.Action == input.Press {
		for _, a := range Actions {
			if a.ctrl == key && key != 0 {
				return v.act(a)
			}
		}
	}
	if key == input.KeyZ && e.Mods&input.ModShift != 0 && e.Action == input.Press {
		return v.act(Named("redo")) // Shift+Z is redo in many programs
	}
	return v.press(key, e.Action == input.Repeat)
}

// drive passes an arrow key to a scene that the user can drive. It reports whether the scene uses the
// key.
func (v *Panel) drive(key input.Key, down bool) bool {
	at, ok := arrowKeys[key]
	return ok && v.session.Wheel.Drive(at, down)
}

var arrowKeys = map[input.Key]int{input.KeyLeft: play.ArrowLeft, input.KeyRight: play.ArrowRight, input.KeyDown: play.ArrowDown, input.KeyUp: play.ArrowUp}
