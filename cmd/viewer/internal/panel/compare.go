package panel

import (
	"slices"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/loops"
	"halfstep/cmd/viewer/ui"
)

// comparesWith are the settings for the right half, by kind. The first option of each kind ends the
// comparison. The last option is usually the setting of the left half.
var comparesWith = [...]struct {
	kind, name string // the kind, and the name of its control in the panel
	options    []string
}{
	{"stepper", "compare stepper", []string{"same", "soft", "fast"}},
	{"sync", "compare sync", []string{"same", "lockstep", "run-ahead", "pipelined"}},
	{"smoothing", "compare smoothing", []string{"same", "none", "extrapolate", "hermite", "interpolate"}},
	{"loop", "compare loop", append([]string{"same"}, loops.Names()...)},
}

// layCompare lays out the controls that choose what the right half shows.
func (v *viewPane) layCompare(c *ui.Context) {
	if v.session.Stage.Shown.Watched() { // a watched scene has no right half
		return
	}
	c.Heading(c.Next(20), "Compare: in the right half")
	row := c.Next(24)
	if c.Button("compare tower", row.Column(0, 2, ui.Gap), ui.NoIcon, "Try the tower", notChosen) {
		v.session.Uses.Count("compare tower")
		v.panel.keepError(v.session.CompareTower())
	}
	c.Tip("40 boxes: the soft stepper keeps them up, the fast one at the right does not", noKey)
	if c.Button("compare nothing", row.Column(1, 2, ui.Gap), ui.NoIcon, "Off", v.session.Comparer.Compare.Kind == play.NoComparison) && v.session.Comparer.Compare.Kind != play.NoComparison {
		v.session.Uses.Count("compare nothing")
		v.panel.keepError(v.session.SetCompare(""))
	}
	c.Space(3)
	for i := range comparesWith {
		k := &comparesWith[i]
		at := max(0, slices.Index(k.options, v.session.Comparer.Compare.Name))
		v.panel.layChoice(choice{
			control: k.name, counted: "compare", label: k.kind, key: noKey,
			options: k.options, at: at, tip: words.Plain[k.options[at]],
		}, func(i int) error {
			if i == 0 {
				return v.session.SetCompare("")
			}
			return v.session.SetCompare(k.options[i])
		})
	}
}
