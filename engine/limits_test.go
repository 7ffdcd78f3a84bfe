package engine_test

import (
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

func TestEveryCountOfAConfigHasAnUpperLimit(t *testing.T) {
	for name, c := range map[string]engine.Config{
		"velocity iterations": {VelocityIterations: box.MaxIterations + 1},
		"position iterations": {PositionIterations: box.MaxIterations + 1},
		"workers":             {Workers: box.MaxWorkers + 1},
		"contacts":            {MaxContacts: box.MostMaxContacts + 1},
		"max steps":           {MaxSteps: renderloop.MostMaxSteps + 1},
		"rate":                {Rate: engine.Hz(1_000_001)},
		"negative contacts":   {MaxContacts: -1},
		"negative max steps":  {MaxSteps: -1},
		"negative workers":    {Workers: -1},
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

func TestEveryCountOfACommandHasAnUpperLimit(t *testing.T) {
	e := start(t, engine.Config{})
	many := make([]engine.ShapeDef, box.MaxBodyShapes+1)
	for i := range many {
		many[i] = engine.CircleShape(2*float64(i), 0, .5)
	}
	line := make([]engine.Vec, box.MaxChainPoints+1)
	for i := range line {
		line[i].X = float64(i)
	}
	e.CreateBody(engine.BodyDef{Shapes: many})
	e.CreateBody(engine.BodyDef{Shapes: []engine.ShapeDef{engine.ChainShape(line...)}})
	e.CreateShape(e.CreateBody(engine.BodyDef{}), engine.LoopShape(line...))
	rejected := 0
	for _, ev := range frames(e, 3) {
		if ev.Kind == engine.Rejected {
			rejected++
		}
	}
	e.Advance(time.Second / 60)
	if n := e.View().Counts.Bodies; rejected != 3 || n != 1 {
		t.Errorf("%d rejected, %d bodies", rejected, n)
	}
}
