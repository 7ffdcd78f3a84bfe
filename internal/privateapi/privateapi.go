// Package privateapi gives halfstep's own packages functions of worlds and pictures that programs
// must not call, for example to step, record and rewind a world. Packages world, scene,
// physicsloop and renderloop keep these functions unexported, and store them in variables of
// package exports. The variables have the type any, because those packages import exports, so
// that exports cannot import them.
package privateapi

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/internal/phasetrace"
	"halfstep/internal/query"
	"halfstep/internal/shifted"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// World has the methods of world.private, where each method is documented.
var World = exports.World.(interface {
	NewCommands(q interface {
		Send(at uint64, c world.Command)
		Room() int
	}, s *world.Simulation) world.Commands
	NewQuery(s query.Space, f world.QueryFilter) world.Query

	NewOrder(order any) world.Command
	Order(c *world.Command) any
	IsClosure(c *world.Command) bool
	Unregistered(w *world.World, c *world.Command) string
	HasCode(w *world.World) bool
	OnlyReads(c *world.Command) bool
	IsForce(c *world.Command) bool
	SameForce(a, b *world.Command) bool
	Loads(s *world.Simulation, dst []exports.Load) []exports.Load

	EventKey(e *world.Event) exports.EventKey
	EventRest(e *world.Event) exports.EventRest
	SetEventRest(e *world.Event, r exports.EventRest)
	IsReply(e *world.Event) bool
	Reply(e *world.Event) bool

	StepAsLibrary(w *world.World)
	Follow(s *world.Simulation, l *phasetrace.Recorder)
	Continuous(s *world.Simulation) bool
	Interrupt(s *world.Simulation)

	HandlesMade(s *world.Simulation) uint64
	SkipHandles(s *world.Simulation, n uint64)
	Tick(s *world.Snapshot) uint64
	TickOf(w *world.World) uint64
	GoBack(s *world.Simulation, to *world.Snapshot) error
	Skip(s *world.Simulation)
	Shifts(s *world.Simulation) []shifted.Body
	Rerun(s *world.Simulation, from *world.Snapshot) error
	StepBack(s *world.Simulation, to *world.Snapshot, tick uint64, dt float64, stands bool) error
	Resume(s *world.Simulation, from *world.Snapshot) error
	BeginFrame(s *world.Simulation, still bool)
	Snapshot(w *world.World, s *world.Snapshot) error
	Jumped(s *world.Simulation, slot int, after uint64) bool
	Number(s *world.Simulation, keep, restore func(number int32) error)

	Fingerprint(s *world.Simulation, dst []byte) []byte
	FirstDifference(s *world.Simulation, old []byte) (b world.Body, name, value string, got float64)
	Structure(s *world.Simulation, log *buffer.Log[body2d.Structure])
})

// Index returns the Space for queries about the shapes of a view.
var Index = exports.Index.(func(*scene.View[body2d.State]) query.Space)

// SetPhysicsRecorder and SetRenderRecorder set the recorder of a loop's phases. With a nil recorder
// the loop records nothing.
var (
	SetPhysicsRecorder = exports.SetPhysicsRecorder.(func(*physicsloop.Options, *phasetrace.Recorder))
	SetRenderRecorder  = exports.SetRenderRecorder.(func(*renderloop.Config, *phasetrace.Recorder))
)
