package main

import (
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
	if q.stage.shown.replay() != nil {
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
