package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/scenes"
	"halfstep/world"
)

// paramValues are the parameters that the user has changed, by scene and name.
type paramValues map[string]map[string]float64

// params are the parameters of scenes, and gravity.
type params struct {
	stage     *stage
	values    paramValues
	gravities map[string]float64 // gravities that the user has changed, by sceneEntry.row; see gravity
}

// param returns the value of parameter i of the open scene: what the user has chosen, or the default.
func (q *params) param(sc *sceneEntry, i int) float64 {
	p := &sc.Params[i]
	if x, ok := q.values[sc.Name][p.Name]; ok {
		return x
	}
	return p.Default
}

// setParam changes a parameter of the open scene by a command, which a recording
// keeps.
func (q *params) setParam(i int, x float64) {
	sc := &q.stage.scenes[q.stage.current]
	p := &sc.Params[i]
	x = p.Fix(x)
	if q.values[sc.Name] == nil {
		q.values[sc.Name] = map[string]float64{}
	}
	q.values[sc.Name][p.Name] = x
	q.stage.engines(func(e *player) { e.DoNamed(p.Command(), x) })
}

// gravity returns the gravity of the open scene, in m/s², upwards.
func (q *params) gravity() float64 {
	if y, ok := q.gravities[q.stage.scenes[q.stage.current].row]; ok {
		return y
	}
	return q.stage.given.World.Gravity.Y
}

// keepGravity remembers the gravity of the open scene, for the panel and for a restart.
func (q *params) keepGravity(y float64) {
	row := q.stage.scenes[q.stage.current].row
	if q.gravities[row] = y; y == q.stage.given.World.Gravity.Y {
		delete(q.gravities, row) // if the scene's file changes, its new gravity counts
	}
}

// setGravity changes the gravity of the running world by a command.
func (q *params) setGravity(y float64) {
	q.keepGravity(y)
	q.stage.engines(func(e *player) { e.SetGravity(world.Vec{X: q.stage.given.World.Gravity.X, Y: y}) })
}

// sendParams gives a world that was just built the parameters and the gravity that
// the user has changed before.
func (q *params) sendParams(sc *sceneEntry) {
	if q.stage.replay != nil {
		return
	}
	for i := range sc.Params {
		p := &sc.Params[i]
		if x := q.param(sc, i); x != p.Default {
			q.stage.engines(func(e *player) { e.DoNamed(p.Command(), x) })
		}
	}
	if y := q.gravity(); y != q.stage.given.World.Gravity.Y {
		q.setGravity(y)
	}
}

// paramValue makes a parser that adds NAME=VALUE to *to.
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

// checkParams returns an error for a parameter that the scene does not have, and rounds values to
// those that the scene allows.
func (o *Options) checkParams() error {
	if len(o.Params) == 0 {
		return nil
	}
	if o.Replay != "" || o.File != "" {
		return errors.New("-param: only built-in scenes have parameters, and a replay has those of its recording")
	}
	s, _ := scenes.Lookup(o.Scene)
	if len(s.Params) == 0 {
		return fmt.Errorf("-param: scene %s has no parameters", o.Scene)
	}
	for name, x := range o.Params {
		at := slices.IndexFunc(s.Params, func(p scenes.Param) bool { return p.Name == name })
		if at < 0 {
			var names []string
			for _, p := range s.Params {
				names = append(names, p.Name)
			}
			return fmt.Errorf("-param: scene %s has no parameter %s; it has %s", o.Scene, words.Quoted(name), strings.Join(names, ", "))
		}
		p := &s.Params[at]
		if x < p.Min || x > p.Max {
			return fmt.Errorf("-param %s=%v: must be from %v to %v", name, x, p.Min, p.Max)
		}
		o.Params[name] = p.Fix(x)
	}
	return nil
}
