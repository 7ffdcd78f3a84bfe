package play

import (
	"errors"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/loops"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/internal/privateapi"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Player runs a scene. It is an engine, or one of the simpler loops that articles about game loops
// describe (package loops; the flag -loop chooses one).
type Player struct {
	world.Commands // the commands take effect in the next frame
	loop
	Tracer
	Engine  *engine.Engine // Engine is nil if article is set.
	article *loops.Loop    // article is nil if Engine is set.
	Name    string         // Name is the name of a loop of the articles. It is "" for an engine.
	Samples *Samples       // Samples has values of one body after each step, for the plot.
}

// View has the states of the bodies in a frame, and the structure of the scene.
type View = scene.View[body2d.State]

// loop has the methods that a loop of the articles and engine.Engine have in common. Package engine
// documents them.
type loop interface {
	Advance(d time.Duration) *View
	Step(n int) *View
	View() *View
	Failure() error
	Close() error
	CloseWithin(d time.Duration) error

	SetPaused(on bool)
	Paused() bool
	SetRate(r clock.Rate) error
	Rate() clock.Rate
	SetScale(x float64) error
	Scale() float64
	SetLastTick(tick uint64)
	SetSmoothing(m body2d.Smoothing)
	SetDebugLayers(l body2d.Layers)

	Demanded() uint64
	Ledger() *clock.Ledger
}

// Tracer has the methods that a loop of the articles and the Trace of an engine have in common.
type Tracer interface {
	hitch.Source // the flags -hitch and -pprof use these methods
	EnterPhase(p phase.Phase)
	PlanSleep(d time.Duration)
	GPUTime(frame uint64, d time.Duration)
}

// newPlayer starts a player. If name is "" it starts an engine, and otherwise the loop of the articles
// with that name.
func newPlayer(name string, c engine.Config) (*Player, error) {
	samples := &Samples{rows: make([]sample, samplesKept)}
	samples.attach(&c)
	if name == "" {
		e, err := engine.New(c)
		if err != nil {
			return nil, err
		}
		return &Player{Commands: e.Commands, loop: e, Tracer: e.Trace(), Engine: e, Samples: samples}, nil
	}
	if c.History.Record != nil || c.History.Replay != nil || c.History.BlackBox != nil {
		return nil, errors.New("only the engine's own loop can record and replay")
	}
	l, err := loops.New(name, c)
	if err != nil {
		return nil, err
	}
	return &Player{Commands: l.Commands, loop: l, Tracer: l, article: l, Name: name, Samples: samples}, nil
}

// events appends the events that are due to dst. It does not use the interface loop, because that
// would allocate.
func (p *Player) events(dst []world.Event) []world.Event {
	if p.article != nil {
		for ev := range p.article.Events() {
			dst = append(dst, ev)
		}
		return dst
	}
	for ev := range p.Engine.Events() {
		dst = append(dst, ev)
	}
	return dst
}

// Records reports whether the player writes a recording.
func (p *Player) Records() bool { return p.Engine != nil && p.Engine.History().Recording() }

// Motion returns the animation error and the input latency of the last seconds.
func (p *Player) Motion() present.Figures {
	if p.Engine != nil {
		return p.Engine.Display().Motion()
	}
	return p.Metrics().Motion
}

// Pose returns the shown pose of a body in this frame.
func (p *Player) Pose(b world.Body) (engine.Pose, bool) {
	v := p.View()
	slot, ok := v.Scene.Slot(uint64(b))
	if !ok {
		return engine.Pose{}, false
	}
	q, ok := scene.PoseOf(v, slot)
	if !ok {
		return engine.Pose{}, false
	}
	body := &v.Scene.Bodies[slot]
	x, y := q.Origin(body.LocalX, body.LocalY)
	return engine.Pose{X: x, Y: y, CentreX: float64(q.X), CentreY: float64(q.Y), Angle: q.Unwrapped()}, true
}

// Kind returns the kind of a body. For a body that is not shown it returns Static.
func (p *Player) Kind(b world.Body) world.BodyKind {
	s := p.View().Scene
	if slot, ok := s.Slot(uint64(b)); ok {
		return world.BodyKind(s.Bodies[slot].Type)
	}
	return world.Static
}

// Find returns the first body with that name.
func (p *Player) Find(name string) (world.Body, bool) {
	s := p.View().Scene
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.Exists && b.Name == name {
			return world.Body(b.Handle), true
		}
	}
	return 0, false
}

// Has reports whether a body with that name is shown.
func (p *Player) Has(name string) bool {
	_, ok := p.Find(name)
	return ok
}

// Pick returns the topmost body that is shown at a point.
func (p *Player) Pick(at world.Vec) (world.Body, bool) {
	slot, ok := scene.Pick(p.View(), at.X, at.Y)
	if !ok {
		return 0, false
	}
	return world.Body(p.View().Scene.Bodies[slot].Handle), true
}

// Near returns the body that is shown at a point. If there is none, it returns a body that is at
// most `reach` m away, because lines and planks are thin. It prefers bodies that can move.
func (p *Player) Near(at world.Vec, reach float64) (found world.Body) {
	if b, ok := p.Pick(at); ok {
		return b
	}
	_ = privateapi.World.NewQuery(privateapi.Index(p.View()), world.QueryFilter{}).Overlap(world.Circle(reach), at, 0, func(b world.Body, _ world.Shape) bool {
		found = b
		return p.Kind(b) == world.Static // continue, because there may be a body that can move
	})
	return found
}
