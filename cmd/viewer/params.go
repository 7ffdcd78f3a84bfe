package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/scenes"
	"halfstep/world"
)

// paramValues are the parameters that the user has changed, by scene and name.
type paramValues map[string]map[string]float64

// startParams are the parameters of -param.
func (o *Options) startParams() paramValues {
	if len(o.Params) == 0 {
		return nil
	}
	return paramValues{o.Scene: maps.Clone(o.Params)}
}

// param is the value of a parameter of the open scene.
func (v *viewer) param(sc *sceneEntry, i int) float64 {
	p := &sc.params[i]
	if x, ok := v.params[sc.name][p.Name]; ok {
		return x
	}
	return p.Default
}

// setParam changes a parameter of the open scene by a command, which a recording
// keeps.
func (v *viewer) setParam(i int, x float64) {
	sc := &v.scenes[v.current]
	p := &sc.params[i]
	x = p.Fix(x)
	if v.params == nil {
		v.params = paramValues{}
	}
	if v.params[sc.name] == nil {
		v.params[sc.name] = map[string]float64{}
	}
	v.params[sc.name][p.Name] = x
	v.engines(func(e *player) { e.DoNamed(p.Command(), x) })
}

// gravity is that of the open scene, in m/s², upwards.
func (v *viewer) gravity() float64 {
	if y, ok := v.gravities[v.scenes[v.current].row]; ok {
		return y
	}
	return v.given.World.Gravity.Y
}

// keepGravity remembers the gravity of the open scene, for the panel and for a restart.
func (v *viewer) keepGravity(y float64) {
	if v.gravities == nil {
		v.gravities = map[string]float64{}
	}
	row := v.scenes[v.current].row
	if v.gravities[row] = y; y == v.given.World.Gravity.Y {
		delete(v.gravities, row) // so that a change of the scene's file counts
	}
}

// setGravity changes the gravity of the open scene by a command.
func (v *viewer) setGravity(y float64) {
	v.keepGravity(y)
	v.engines(func(e *player) { e.SetGravity(world.Vec{X: v.given.World.Gravity.X, Y: y}) })
}

// sendParams gives a world that was just built the parameters and the gravity that
// the user has changed before.
func (v *viewer) sendParams(sc *sceneEntry) {
	if v.replay != nil {
		return
	}
	for i := range sc.params {
		p := &sc.params[i]
		if x := v.param(sc, i); x != p.Default {
			v.engines(func(e *player) { e.DoNamed(p.Command(), x) })
		}
	}
	if y := v.gravity(); y != v.given.World.Gravity.Y {
		v.setGravity(y)
	}
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
