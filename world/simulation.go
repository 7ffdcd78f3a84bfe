package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/box"
	"halfstep/internal/owner"
	"halfstep/internal/timing"
	"halfstep/physicsloop"
)

// Simulation is a [World] for the physics loop. It carries out commands, steps the world, and
// returns states, structure and events. An engine makes a Simulation. A program without an
// engine, such as a test of a scene, calls [NewSimulation]. The methods belong to the
// goroutine that steps, unless their comments say otherwise. They must be called in the order
// that [physicsloop.Simulation] describes.
type Simulation struct {
	world   World
	colours map[box.Contact]uint8 // scratch memory of CaptureDebug
}

var (
	_ physicsloop.Simulation[body2d.State, Event, Command] = (*Simulation)(nil)
	_ physicsloop.ChangeCapturer[body2d.State]             = (*Simulation)(nil)
	_ physicsloop.DebugCapturer                            = (*Simulation)(nil)
)

// NewSimulation returns a simulation of an empty world. The config should be valid
// (Config.Validate). An invalid gravity counts as zero. Close ends the simulation.
func NewSimulation(cfg Config) *Simulation {
	cfg = cfg.withDefaults()
	b2 := box2d.MakeB2World(b2vec(cfg.Gravity))
	s := &Simulation{world: World{
		cfg: cfg, b2: &b2,
		registry: registry{bodies: map[Body]*body{}, shapes: map[Shape]*shape{}, joints: map[Joint]*joint{}},
		masses:   masses{weighed: map[*body]*weights{}},
		contacts: contacts{begun: map[box.Contact]int{}},
		numbered: numbered{keepsNone, keepsNone},
	}}
	w := &s.world
	// without a filter, Box2D would not filter shapes at all
	b2.SetContactFilter(&filter{w: w})
	w.chooseStep()
	w.box.Configure(!cfg.NoSleep, !cfg.NoWarmStarting, !cfg.NoContinuous, cfg.SubStepping)
	return s
}

// World returns the world, for code that sets up the scene or reads it.
func (s *Simulation) World() *World { return &s.world }

// Config returns the configuration, with defaults filled in.
func (s *Simulation) Config() Config { return s.world.cfg }

// Start begins the run. It announces the existing bodies, shapes and joints in out for
// tick 0. It must be called once, before the first BeginFrame.
func (s *Simulation) Start(out *buffer.Outbox[Event]) {
	w := &s.world
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.news.out = out
	w.when.start = w.when.state()
	if w.soft != nil {
		w.soft.MakeRoom()
	}
	w.news.announceAll()
}

// Announce records the existing bodies, shapes and joints.
func (s *Simulation) Announce(to *buffer.Log[body2d.Structure]) {
	w := &s.world
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.news.announceTo(to)
}

// BeginFrame is called before a frame's commands.
func (s *Simulation) BeginFrame() {
	s.world.when.frame++
	s.world.when.stepped, s.world.when.still = false, false
}

// Apply carries out a command. The tick is the number of steps done. A command that cannot be
// carried out changes nothing and becomes a CommandRejected event. If scheduled is true, the
// command was given for this tick, and its forces act in one step only.
func (s *Simulation) Apply(tick uint64, c *Command, scheduled bool) {
	w := &s.world
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.release()
	w.takeBack()
	w.when.now, w.when.shift = w.when.tick, tick-w.when.tick // the loop's ticks only increase, but the world's ticks go back in a restore
	w.when.scheduled = scheduled || c.AtStart
	err := w.do(c)
	w.when.scheduled = false
	if err != nil {
		e := w.news.reject(c.Op, c.Body, err)
		if e.Joint = c.Joint; c.Joint == 0 {
			return
		}
		if r := w.registry.joints[c.Joint]; r != nil { // the event also names the joint
			e.NameJoint = r.name
		} else if c.JointDef != nil {
			e.NameJoint = c.JointDef.Name
		}
	}
}

// Step advances the world by dt seconds to the given tick. The first step makes tick 1.
// Controllers run before the step, and contact hooks after it. Step panics with
// [ErrInterrupted] if an engine gives up. It panics with an error that wraps [ErrCrowded] if
// new contacts exceed Config.MaxContacts.
func (s *Simulation) Step(tick uint64, dt float64) {
	w := &s.world
	if err := w.watch.Interrupted(); err != nil {
		panic(err)
	}
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.release()
	w.takeBack()
	w.news.restamp(tick) // records since the last step or capture belong to this tick
	w.places.goOn()
	w.when.now = w.when.tick + 1
	w.when.shift = tick - w.when.now
	w.when.phase, w.when.dt = before, dt
	w.sheet.renew()        // drops the drawings of the last state
	w.forces.stopArrived() // stops the bodies that MoveTo has moved to their targets
	w.phases.Enter(phase.Controllers)
	for n := len(w.controls); w.ran < min(n, len(w.controls)); { // a restore changes w.ran and w.controls
		c := w.controls[w.ran]
		w.ran++
		if (w.when.now-1)%c.every == 0 {
			c.BeforeStep(w, dt*float64(c.every))
		}
	}
	w.ran = 0
	w.forces.applyLoads()

	if dt >= box2d.B2_timeToSleep { // one such step is enough for a body to fall asleep
		for r := w.registry.first; r != nil; r = r.next {
			w.box.KeepMoving(r.b, -dt) // the body has been at rest for -dt seconds
		}
	}

	w.takeBack() // the controllers may have used Box2D's own objects
	w.when.phase = stepping
	w.phases.Enter(phase.Step)
	w.box.ListSleepers()
	w.aftermath.begin()
	w.step(dt, w.cfg.VelocityIterations, w.cfg.PositionIterations)

	w.tellWork()
	if owner.Checked {
		w.validate()
	}

	w.when.phase = after
	w.crowd.lookedForPairs() // the counted pairs have become contacts
	w.phases.Enter(phase.Contacts)
	w.when.tick = w.when.now
	w.when.stepped = true
	w.box.TellOfSleepers(w.places.slept, w.contacts.meets)
	w.contacts.tellHits()
	w.contacts.landed = false
	clear(w.contacts.begun) // the map must not keep destroyed bodies in memory
	w.aftermath.look(w.stepper != nil)
	w.links.breakJoints()
	w.forces.dropLoads(false)           // drops the forces of one step; EndFrame drops those of the frame
	for i := 0; i < len(w.later); i++ { // a call may append to w.later
		f := w.later[i]
		w.later[i] = nil
		f(w)
	}
	w.later = w.later[:0]
	contacts := w.contacts.told
	w.contacts.told = w.contacts.spare[:0]
	for n := len(w.hooks); w.hooked < min(n, len(w.hooks)); {
		f := w.hooks[w.hooked]
		w.hooked++
		f(w, contacts)
	}
	w.hooked = 0
	w.contacts.burst = max(len(contacts), w.contacts.burst-w.contacts.burst/64)
	if cap(contacts) > 4*w.contacts.burst+1024 {
		contacts = nil // drops a slice that is far larger than recent steps needed
	}
	w.contacts.spare = contacts
	w.sheet.drawn = len(w.sheet.drawings)
	w.when.phase = idle
}

// validate panics if the tables of the world contradict each other. Race builds call it after each step, or less
// often if the world is large.
func (w *World) validate() {
	if w.b2.M_bodyCount+w.box.Contacts.Count() > 400 && w.when.now%64 != 0 {
		return
	}
	err := w.box.Validate()
	if t, ok := w.stepper.(box.Tables); ok && err == nil {
		err = t.Validate()
	}
	if err != nil {
		panic(fmt.Sprintf("world: after step %d a link is broken: %v", w.when.now, err))
	}
}

// tellWork counts the work of a step for the profile.
func (w *World) tellWork() {
	work := timing.Work{Bodies: uint32(w.b2.GetBodyCount()), Contacts: uint32(w.box.Contacts.Count())}
	if s, ok := w.stepper.(*fast.Stepper); ok {
		islands, largest := s.Solved()
		work.Islands, work.Largest = uint32(islands), uint32(largest)
	}
	w.phases.SetWork(work)
}

// EndFrame is called after the last step of a frame. It ends the forces of the frame, if the frame had a step.
func (s *Simulation) EndFrame() {
	if s.world.when.stepped {
		s.world.forces.dropLoads(true) // true: the forces of a frame
		s.world.when.stepped = false
	}
}

// Counts returns the same as [World.Counts].
func (s *Simulation) Counts() body2d.Counts { return s.world.counts() }

// Close ends the goroutines that help with steps. The world cannot be stepped after Close.
func (s *Simulation) Close() {
	s.world.guard.Release()
	if s.world.stepper != nil {
		s.world.stepper.Close()
	}
}
