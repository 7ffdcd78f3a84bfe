package engine_test

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop"
	"math"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

func TestEveryCountOfAConfigHasAnUpperLimit(t *testing.T) {
	for name, c := range map[string]engine.Config{
		"velocity iterations": {World: world.Config{VelocityIterations: world.MaxIterations + 1}},
		"position iterations": {World: world.Config{PositionIterations: world.MaxIterations + 1}},
		"workers":             {World: world.Config{Workers: 257}},
		"contacts":            {World: world.Config{MaxContacts: 50_000_001}},
		"max steps":           {Time: engine.Time{MaxSteps: clock.MaxStepsLimit + 1}},
		"rate":                {Time: engine.Time{Rate: clock.Hz(1_000_001)}},
		"negative contacts":   {World: world.Config{MaxContacts: -1}},
		"negative max steps":  {Time: engine.Time{MaxSteps: -1}},
		"negative workers":    {World: world.Config{Workers: -1}},
	} {
		e, err := engine.New(c)
		if err == nil {
			e.Close()
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A setting from a file of another version may name a mode that does not exist.
func TestAModeThatDoesNotExistChangesNothing(t *testing.T) {
	e, b := mover(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	e.SetSync(9)
	e.SetSmoothing(9)
	for range 60 {
		e.Advance(time.Second / 100)
	}
	if x := shownX(e, b); e.Sync() != renderloop.Lockstep || math.Abs(x-(.6-1/60.)) > 1e-5 {
		t.Errorf("%d: the picture is at %v s", e.Sync(), x)
	}
	if v := e.Advance(0); v.Smoothing != body2d.Interpolate {
		t.Errorf("smoothing %d", v.Smoothing)
	}
}
