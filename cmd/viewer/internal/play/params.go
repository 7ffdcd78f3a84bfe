package play

import (
	"halfstep/world"
)

// paramValues are the parameters that the user has changed, by the name of the scene and the name of the
// parameter.
type paramValues map[string]map[string]float64

// Params are gravity and the parameters of scenes, such as a number of bodies. Changes by the user are kept
// when the scene restarts.
type Params struct {
	stage     *Stage
	values    paramValues
	gravities map[string]world.Vec // gravities are the values that the user has changed, in m/s², by SceneEntry.Row.
}

// Param returns the value of parameter i of a scene. It is the user's value or the default.
func (q *Params) Param(sc *SceneEntry, i int) float64 {
	p := &sc.Params[i]
	if x, ok := q.values[sc.Name][p.Name]; ok {
		return x
	}
	return p.Default
}

// SetParam changes a parameter of the open scene by a command. A recording contains this command.
func (q *Params) SetParam(i int, x float64) {
	sc := q.stage.Scene()
	p := &sc.Params[i]
	x = p.Fix(x) // into its range
	if q.values[sc.Name] == nil {
		q.values[sc.Name] = map[string]float64{}
	}
	q.values[sc.Name][p.Name] = x
	q.stage.EachPlayer(func(e *Player) { e.DoNamed(p.Command(), x) })
}

// Gravity returns the gravity of the open scene, in m/s².
func (q *Params) Gravity() world.Vec {
	if g, ok := q.gravities[q.stage.Scene().Row]; ok {
		return g
	}
	return q.stage.SceneConfig.World.Gravity
}

// keepGravity stores the gravity of the open scene, for the panel and for a restart.
func (q *Params) keepGravity(g world.Vec) {
	row := q.stage.Scene().Row
	if q.gravities[row] = g; g == q.stage.SceneConfig.World.Gravity {
		delete(q.gravities, row) // if the scene's file changes, its new gravity applies
	}
}

// SetGravity changes the gravity of the running world by a command.
func (q *Params) SetGravity(g world.Vec) {
	q.keepGravity(g)
	q.stage.EachPlayer(func(p *Player) { p.SetGravity(g) })
}

// sendParams sends a new world the parameters and the gravity that the user has changed.
func (q *Params) sendParams(sc *SceneEntry) {
	if q.stage.Shown.Replay() != nil { // a recording has its own parameters
		return
	}
	for i := range sc.Params {
		p := &sc.Params[i]
		if x := q.Param(sc, i); x != p.Default {
			q.stage.EachPlayer(func(e *Player) { e.DoNamed(p.Command(), x) })
		}
	}
	if g := q.Gravity(); g != q.stage.SceneConfig.World.Gravity {
		q.SetGravity(g)
	}
}
