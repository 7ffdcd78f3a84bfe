package main

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/netplay"
	"halfstep/renderloop"
	"halfstep/world"
)

// In the end both programs have the same world and the same score at any frame rate.
// The sync test finds no variable that does not go back in time.
func TestTwoProgramsPlayInOneWorld(t *testing.T) {
	for fps, way := range map[int]world.Stepper{60: world.FastStep, 144: world.SoftStep} {
		now := time.Duration(0)
		c := engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true}, Testing: engine.Testing{SyncTest: 2}}
		c.World.NoGravity, c.World.Stepper = true, way
		programs, end, err := begin(c, netplay.Options{Now: func() time.Duration { return now }})
		if err != nil {
			t.Fatal(err)
		}
		for frame := range 12 * fps {
			now += time.Second / time.Duration(fps)
			for _, p := range programs {
				wish := still // nobody steers at the end, so that all inputs have arrived
				if frame < 10*fps {
					wish = p.bot.input(p)
				}
				if err := p.Update([]byte{byte(wish)}); err != nil {
					t.Fatal(err)
				}
				if e := p.Engine(); e != nil {
					e.Advance(time.Second / time.Duration(fps))
					p.count(e)
				}
			}
		}
		f := programs[0].Metrics()
		if f.Checked < 600 || f.Rollbacks < 25 {
			t.Errorf("%d fps: the same up to tick %d, after %d rollbacks", fps, f.Checked, f.Rollbacks)
		}
		if a, b := programs[0].hits, programs[1].hits; a != b || a[0]+a[1] == 0 {
			t.Errorf("%d fps: the scores are %v and %v", fps, a, b)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
