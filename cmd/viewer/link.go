package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"unicode"
)

// link returns a command that leads to this moment: the scene, its rate, stepper and parameters, the
// tick and the camera. Changes that the user made in the world are not in it; copyLink says so. It
// fails if the shells of this system cannot quote the name of the file.
func (v *viewer) link() (string, error) {
	var b strings.Builder
	b.WriteString("viewer")
	sc := &v.scenes[v.current]
	quoted, ok := quoteArg(sc.path, runtime.GOOS)
	switch {
	case !ok:
		return "", fmt.Errorf("the name %s cannot be written in a command; rename the file", printable(sc.path))
	case sc.address() != "":
		b.WriteString(" -watch " + quoted)
	case v.replay != nil:
		b.WriteString(" -replay " + quoted)
	case sc.path != "":
		b.WriteString(" " + quoted)
	default:
		b.WriteString(" -scene " + sc.Name)
	}
	s := &v.settings
	if s.rate.Num != 0 && v.replay == nil {
		b.WriteString(" -hz " + exact(s.rate.Float()))
	}
	if v.replay == nil {
		if s.stepper != "" {
			b.WriteString(" -stepper " + s.stepper)
		}
		if s.loop != "" {
			b.WriteString(" -loop " + s.loop)
		}
		for i := range sc.Params {
			if p := &sc.Params[i]; v.param(sc, i) != p.Default {
				value, _ := quoteArg(p.Name+"="+exact(v.param(sc, i)), runtime.GOOS)
				b.WriteString(" -param " + value)
			}
		}
	}
	if v.view.Tick > 0 && sc.address() == "" {
		fmt.Fprintf(&b, " -seek %d", v.view.Tick)
	}
	c := v.camera.Camera
	fmt.Fprintf(&b, " -camera %s,%s,%s", short6(c.X), short6(c.Y), short6(c.Height))
	return b.String(), nil
}

// exact writes a number with all its digits, short6 with six.
func exact(x float64) string  { return strconv.FormatFloat(x, 'g', -1, 64) }
func short6(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// quoteArg quotes an argument for the shells of a system, if that is needed. ok is
// false if it cannot be quoted: terminals act on control characters, and each shell of
// Windows expands some characters even between quotes.
func quoteArg(s, goos string) (quoted string, ok bool) {
	windows := goos == "windows"
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/=,:", r) && !(windows && r == ',')
	}
	switch {
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0:
		return s, true
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", false
	case windows: // cmd.exe and PowerShell
		return `"` + s + `"`, !strings.ContainsAny(s, "\"%!$`“”„") && !strings.HasSuffix(s, `\`)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

// copyLink puts the command on the clipboard.
func (v *viewer) copyLink() {
	text, err := v.link()
	if err != nil {
		v.warn(err.Error())
		return
	}
	v.screen.clipboard(text)
	if v.userChanged || v.replay == nil && v.settings.world != (worldSettings{}) {
		v.say("copied, without what you have changed by hand, which a recording would have: " + text)
		return
	}
	v.say("copied: " + text)
}
