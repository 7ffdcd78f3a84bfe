package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/scenes"
	"halfstep/renderloop/scene"
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

// paramValue parses NAME=VALUE and adds it.
func paramValue(to *map[string]float64) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		x, err := strconv.ParseFloat(value, 64)
		if !ok || name == "" || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("must be NAME=VALUE, such as speed=2.5")
		}
		if *to == nil {
			*to = map[string]float64{}
		}
		if len(*to) == maxListed {
			return fmt.Errorf("more than %d parameters", maxListed)
		}
		(*to)[name] = x
		return nil
	}
}

// checkParams reports a parameter that the scene does not have, and returns the
// values as the scene takes them.
func (o *Options) checkParams() error {
	if len(o.Params) == 0 {
		return nil
	}
	if o.Replay != "" || o.File != "" {
		return errors.New("-param: only built-in scenes have parameters, and a replay has those of its recording")
	}
	s, _ := scenes.Lookup(o.Scene)
	var names []string
	for name, x := range o.Params {
		found := false
		names = names[:0]
		for i := range s.Params {
			p := &s.Params[i]
			names = append(names, p.Name)
			if p.Name != name {
				continue
			}
			found = true
			if x < p.Min || x > p.Max {
				return fmt.Errorf("-param %s=%v: must be from %v to %v", name, x, p.Min, p.Max)
			}
			o.Params[name] = p.Fix(x)
		}
		switch {
		case !found && len(names) == 0:
			return fmt.Errorf("-param: scene %s has no parameters", o.Scene)
		case !found:
			return fmt.Errorf("-param: scene %s has no parameter %s; it has %s", o.Scene, quoteName(name), strings.Join(names, ", "))
		}
	}
	return nil
}

// cameraValue parses X,Y,HEIGHT.
func cameraValue(to **scene.Camera) func(string) error {
	return func(s string) error {
		wrong := errors.New("must be X,Y,HEIGHT in metres, such as 0,5,20")
		parts := strings.Split(s, ",")
		if len(parts) != 3 {
			return wrong
		}
		var n [3]float64
		for i, p := range parts {
			x, err := strconv.ParseFloat(p, 64)
			if err != nil || math.IsNaN(x) || math.Abs(x) > 1e9 {
				return wrong
			}
			n[i] = x
		}
		if n[2] <= 0 {
			return wrong
		}
		*to = &scene.Camera{X: n[0], Y: n[1], Height: n[2]}
		return nil
	}
}

// goTo runs the scene to a tick before its first frame is shown.
func (v *viewer) goTo(tick uint64) {
	if last, ok := v.o.lastTick(); ok {
		tick = min(tick, last)
	}
	for v.view.Tick < tick && v.engine.Failure() == nil && !v.queue.asked() {
		v.steps = int(min(tick-min(v.engine.Demanded(), tick), seekSteps))
		v.pass(0)
		for range v.engine.Events() {
		}
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60
