package panel

import (
	"cmp"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

// choice is a row of a page that chooses one of some options.
type choice struct {
	control string // the name of the row in the panel
	counted string // the name under which -stats counts it; "": that of the control
	label   string
	key     string // does the same as a click, or noKey
	options []string
	at      int // the index of the chosen option
	tip     string
}

// mostTurned is the greatest number of options that clicks go through one by
// one; more are a list.
const mostTurned = 6

// layChoice lays out a choice, and calls choose with the index of the new
// option when the user changes it.
func (v *Panel) layChoice(o choice, choose func(option int) error) {
	c := v.Ui
	var i int
	var changed bool
	if len(o.options) > mostTurned {
		i, changed = c.List(o.control, o.label, o.key, o.options, o.at, describeOption)
	} else {
		i, changed = c.Choice(o.control, c.Next(ui.RowHeight), o.label, o.key, o.options, o.at)
		c.Tip(o.tip, noKey)
	}
	c.Space(3)
	if changed {
		v.session.Uses.Count(cmp.Or(o.counted, o.control))
		v.keepError(choose(i))
	}
}

// describeOption describes an option in plain words.
func describeOption(option string) string { return words.Plain[option] }
