package play

import (
	"maps"
	"strconv"

	"halfstep/world"
)

// viewerSnapshot is the number of the snapshot that the user takes with a key. Snapshots for undo have the
// numbers after it.
const viewerSnapshot = 1

// savedControls are the values of the controls that act on the world, at the time of a snapshot.
type savedControls struct {
	params    map[string]float64 // the scene's
	gravity   world.Vec          // m/s²
	overrides worldOverrides
}

// TakeSnapshot keeps the present world for RestoreSnapshot.
func (c *Changes) TakeSnapshot() {
	switch {
	case c.travel.RefusesChange():
		return
	case c.stage.Settings.Loop != "":
		c.host.Say("only the engine's own loop takes snapshots")
		return
	}
	c.stage.EndDrag() // otherwise the snapshot would have the joint with which the user drags a body
	c.stage.EachPlayer(func(p *Player) { p.KeepSnapshot(viewerSnapshot) })
	saved := c.controls()
	c.Saved = &saved
	c.host.Say("snapshot at tick " + strconv.FormatUint(c.stage.View.Tick, 10))
}

// RestoreSnapshot restores the world of the last snapshot.
func (c *Changes) RestoreSnapshot() {
	switch {
	case c.travel.RefusesChange():
		return
	case c.Saved == nil:
		c.host.Say("there is no snapshot of this run")
		return
	}
	c.stage.EndDrag()
	c.BeginChange("go back to the snapshot") // with this moment undo can take the restore back
	c.stage.EachPlayer(func(p *Player) { p.RestoreSnapshot(viewerSnapshot) })
	c.restoreControls(c.Saved)
	c.host.Say("back at the snapshot")
}

// controls returns the values of the controls that act on the world.
func (c *Changes) controls() savedControls {
	return savedControls{maps.Clone(c.params.values[c.stage.Scene().Name]), c.params.Gravity(), c.stage.Settings.Overrides}
}

// restoreControls gives the controls the values that they had at the time of a snapshot. The world
// needs no commands for that, because the snapshot includes their effects.
func (c *Changes) restoreControls(saved *savedControls) {
	if name := c.stage.Scene().Name; c.params.values[name] != nil { // the user has changed some parameters
		c.params.values[name] = maps.Clone(saved.params)
	}
	if c.wheel.UserDrives { // pass the keys that are held now to the restored scene
		c.wheel.steer(c.wheel.Arrows)
	}
	c.params.keepGravity(saved.gravity)
	c.stage.Settings.Overrides = saved.overrides
	c.stage.World = saved.overrides.applied(c.stage.SceneConfig)
}
