package main

import (
	"fmt"
	"strconv"
	"strings"
)

// link is a command that leads to this moment: the scene, its rate, stepper and
// parameters, the tick and the camera. What the user did in the world is not in it.
func (v *viewer) link() string {
	var b strings.Builder
	b.WriteString("viewer")
	sc := &v.scenes[v.current]
	switch {
	case v.replay != nil:
		b.WriteString(" -replay " + quoteArg(v.o.Replay))
	case sc.path != "":
		b.WriteString(" " + quoteArg(sc.path))
	default:
		b.WriteString(" -scene " + sc.name)
	}
	s := &v.settings
	if s.rate.Num != 0 && v.replay == nil {
		b.WriteString(" -hz " + exact(s.rate.Float()))
	}
	if v.replay == nil {
		if s.stepper != "" {
			b.WriteString(" -stepper " + s.stepper)
		}
		for i := range sc.params {
			if p := &sc.params[i]; v.param(sc, i) != p.Default {
				b.WriteString(" -param " + quoteArg(p.Name+"="+exact(v.param(sc, i))))
			}
		}
	}
	if v.view.Tick > 0 {
		fmt.Fprintf(&b, " -seek %d", v.view.Tick)
	}
	c := v.camera.Camera
	fmt.Fprintf(&b, " -camera %s,%s,%s", short6(c.X), short6(c.Y), short6(c.Height))
	return b.String()
}

func exact(x float64) string  { return strconv.FormatFloat(x, 'g', -1, 64) }
func short6(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// quoteArg quotes an argument for a shell, if that is needed.
func quoteArg(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/=,:", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// copyLink puts the link on the clipboard.
func (v *viewer) copyLink() {
	text := v.link()
	v.screen.clipboard(text)
	v.say("copied: " + text)
}
