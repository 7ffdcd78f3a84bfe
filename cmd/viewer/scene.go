package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/internal/otherloop"
	"halfstep/renderloop"
)

// scene is something that can be opened: built in, or from a file.
type scene struct {
	name   string
	config func() engine.Config // anew at each call
	view   scenes.View
	track  string
	data   []byte // of the file it came from, for recordings
}

// openScenes returns the scenes to go through, and which one to begin with.
func openScenes(o *Options) (all []scene, first int, err error) {
	for _, s := range scenes.All() {
		all = append(all, scene{name: s.Name, config: s.Config, view: s.View, track: s.Track})
	}
	if o.File == "" {
		first = slices.IndexFunc(all, func(s scene) bool { return s.name == o.Scene })
		if first < 0 {
			return nil, 0, fmt.Errorf("no scene %q", o.Scene)
		}
		return all, first, nil
	}
	s, err := fileScene(o.File)
	if err != nil {
		return nil, 0, err
	}
	return slices.Insert(all, 0, s), 0, nil
}

// fileScene reads a R.U.B.E. file. Its step rate and iterations are defaults.
func fileScene(path string) (scene, error) {
	file, err := rube.ReadFile(path)
	if err != nil {
		return scene{}, err
	}
	rate := engine.Hz(60)
	if file.StepsPerSecond > 0 {
		if rate, err = renderloop.RateOf(file.StepsPerSecond); err == nil {
			_, err = renderloop.NewClock(rate)
		}
		if err != nil {
			return scene{}, fmt.Errorf("%s: stepsPerSecond: %w", path, err)
		}
	}
	c := file.Config()
	return scene{
		name: printable(filepath.Base(path)),
		data: file.Source,
		config: func() engine.Config {
			return engine.Config{
				Gravity: c.Gravity, NoGravity: c.Gravity == engine.Vec{},
				VelocityIterations: c.VelocityIterations, PositionIterations: c.PositionIterations,
				NoSleep: c.NoSleep, NoContinuous: c.NoContinuous,
				NoWarmStarting: c.NoWarmStarting, SubStepping: c.SubStepping,
				Rate:  rate,
				Setup: file.Build,
			}
		},
	}, nil
}

// settings are what flags and keys say about how a scene runs. They outlive
// the scene.
type settings struct {
	rate      engine.Rate // zero: what the scene says
	maxSteps  int
	scale     engine.Rate
	smoothing engine.Smoothing
	sync      engine.Sync
	loop      string // "": the engine's own
	pacing    bool
	injected  bool
	lastTick  uint64 // 0: none
	stock     bool   // Box2D's own step
	workers   int
	inject    []engine.Injection
}

// engine starts the scene.
func (s *settings) engine(sc *scene, c engine.Config) (*engine.Engine, error) {
	if s.rate != (engine.Rate{}) && c.Replay == nil {
		c.Rate = s.rate
	}
	if s.maxSteps > 0 {
		c.MaxSteps = s.maxSteps
	}
	c.StockStep, c.Workers = s.stock, s.workers
	c.Sync, c.Smoothing, c.Pacing, c.Injected = s.sync, s.smoothing, s.pacing, s.injected
	c.Name, c.Inject = sc.name, s.inject
	if s.loop != "" {
		newLoop, err := otherloop.New(s.loop)
		if err != nil {
			return nil, err
		}
		c.Loop = newLoop
	}
	e, err := engine.New(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sc.name, err)
	}
	if err := e.SetScale(s.scale); err != nil {
		e.Close()
		return nil, err
	}
	if s.lastTick > 0 && (c.Replay == nil || s.lastTick < c.Replay.Ticks) {
		e.SetLastTick(s.lastTick)
	}
	return e, nil
}
