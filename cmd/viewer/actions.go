package main

import "strings"

// act does what the action of that name in bindings does: a key and a control
// end up here.
func (v *viewer) act(name string) error {
	b := action(name)
	v.count(name)
	return b.do(v)
}

// action is the entry of bindings with that name.
func action(name string) *binding {
	for i := range bindings {
		if bindings[i].name == name {
			return &bindings[i]
		}
	}
	panic("no action " + name)
}

// key is the first key of an action, as the panel shows it.
func key(name string) string {
	label := action(name).label
	first, _, _ := strings.Cut(label, " ")
	return first
}

// count adds to how often the user has used an action or a control, for -stats.
func (v *viewer) count(name string) {
	if v.used == nil {
		v.used = map[string]int{}
	}
	v.used[name]++
}
