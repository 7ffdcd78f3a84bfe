package panel

import (
	"cmp"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

// choice is a row of a page with which the user chooses one of several options.
type choice struct {
	control string // control is the name of the row in the panel.
	counted string // counted is the name under which -stats counts the uses. If it is "", the name of the control is used.
	label   string
	key     string // key is the key that does the same as a click, or noKey.
	options []string
	at      int // at is the index of the chosen option.
	tip     string
}

// mostTurned is the greatest number of options for which a click chooses the next option.
// If there are more, a click opens a list.
const mostTurned = 6

// layChoice lays out a choice. When the user chooses another option, layChoice calls
// choose with its index.
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
