package main

import (
	"maps"
	"strconv"
)

// viewerSnapshot is the number under which an engine keeps the snapshot of the key F5. Those for undo
// follow it.
const viewerSnapshot = 1

// savedControls are the values of controls that act on the world, as of a snapshot.
type savedControls struct {
	params  map[string]float64 // the scene's
	gravity float64            // m/s², upwards
	world   worldSettings
}

// takeSnapshot keeps the present world, for restoreSnapshot.
func (c *changes) takeSnapshot() {
	switch {
	case c.travel.refusesChange():
		return
	case c.stage.settings.loop != "":
		c.host.say("only the engine's own loop takes snapshots")
		return
	}
	c.stage.letGo() // or the snapshot would have the joint by which the user drags a body
	c.stage.engines(func(e *player) { e.KeepSnapshot(viewerSnapshot) })
	saved := c.controls()
	c.saved = &saved
	c.host.say("snapshot at tick " + strconv.FormatUint(c.stage.view.Tick, 10))
}

// restoreSnapshot restores the world of the last snapshot.
func (c *changes) restoreSnapshot() {
	switch {
	case c.travel.refusesChange():
		return
	case c.saved == nil:
		c.host.say("there is no snapshot of this run")
		return
	}
	c.stage.letGo()
	c.beginChange("restore") // undo takes it back
	c.stage.engines(func(e *player) { e.RestoreSnapshot(viewerSnapshot) })
	c.restoreControls(c.saved)
	c.host.say("back at the snapshot")
}

// controls returns the values of the controls that act on the world.
func (c *changes) controls() savedControls {
	return savedControls{maps.Clone(c.params.values[c.stage.scenes[c.stage.current].Name]), c.params.gravity(), c.stage.settings.world}
}

// restoreControls sets the controls to their values at a snapshot. The world needs no commands for
// that: the snapshot has restored what they act on.
func (c *changes) restoreControls(saved *savedControls) {
	if name := c.stage.scenes[c.stage.current].Name; c.params.values[name] != nil {
		c.params.values[name] = maps.Clone(saved.params)
	}
	if c.wheel.drives { // tell the restored scene which keys are held now
		c.wheel.steer(c.wheel.arrows)
	}
	c.params.keepGravity(saved.gravity)
	c.stage.settings.world = saved.world
	c.stage.world = saved.world.applied(c.stage.given)
}
