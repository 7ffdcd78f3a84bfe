package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// The test combines features that work alone. Two or three of them are used in one
// frame, or in successive frames. The results are checked by a replay of every file, by
// the other stepper, by a reader beside the picture, by a sync test, and by a world
// that is loaded from bytes.

// meeting is a run that combines features.
type meeting struct {
	*rand.Rand
	*engine.Engine
	bodies  []world.Body
	shapes  []world.Shape
	joints  []world.Joint
	files   []*meetingFile
	readers []*engine.Reader
	streams []chan error
	box     []byte
	goes    bool // goes says that the run fails on purpose.
	beyond  bool // beyond says that the run uses features that the library's step does not have.
	waits   bool // waits says that a simulated clock does not stop physics.
}

type meetingFile struct {
	bytes.Buffer
	told atomic.Bool // an error has been
}

func init() {
	world.Register("meeting: push all", func(w *world.World, args []float64) {
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: args[1]})
		}
	})
	world.Register("meeting: fail", func(*world.World, []float64) { panic("on purpose") })
}

func (m *meeting) options(from uint64) engine.RecordOptions {
	f := new(meetingFile)
	m.files = append(m.files, f)
	return engine.RecordOptions{W: f, From: from, States: m.IntN(3) == 0, OnError: func(error) { f.told.Store(true) }}
}

func oneOf[T any](m *meeting, list []T) (x T) {
	if len(list) > 0 {
		x = list[m.IntN(len(list))]
	}
	return x
}

func (m *meeting) body() world.Body { return oneOf(m, m.bodies) }
func (m *meeting) vec() world.Vec   { return world.Vec{X: 8*m.Float64() - 4, Y: 1 + 5*m.Float64()} }

func (m *meeting) shape() world.ShapeDef {
	s := oneOf(m, []world.ShapeDef{world.Box(.5, .3), world.Circle(.3), world.CircleAt(.3, .4, .2)})
	s.Density = oneOf(m, []float64{0, 1, 3})
	s.Sensor = m.IntN(6) == 0
	return s
}

// edits returns the changes that a program makes to the world from its frames.
func edits(m *meeting, c world.Commands) map[string]func() {
	return map[string]func(){
		"density":    func() { c.SetDensity(oneOf(m, m.shapes), 4*m.Float64()) },
		"replace":    func() { c.ReplaceShape(oneOf(m, m.shapes), m.shape()) },
		"add":        func() { m.shapes = append(m.shapes, c.CreateShape(m.body(), m.shape())) },
		"drop shape": func() { c.DestroyShape(oneOf(m, m.shapes)) },
		"kind":       func() { c.SetKind(m.body(), world.BodyKind(m.IntN(3))) },
		"fixed":      func() { c.SetFixedRotation(m.body(), m.IntN(2) == 0) },
		"axes": func() {
			b, x, y := m.body(), m.IntN(2) == 0, m.IntN(2) == 0
			m.beyond = m.beyond || x || y
			c.SetFixedAxes(b, x, y)
		},
		"disable":  func() { c.SetEnabled(m.body(), m.IntN(2) == 0) },
		"teleport": func() { c.Teleport(m.body(), m.vec(), m.Float64()) },
		"shift":    func() { c.Shift(m.body(), m.vec()) },
		"lost":     func() { c.Teleport(m.body(), world.Vec{X: 2e9}, 0) },
		"stale":    func() { c.DestroyBody(world.Body(m.Uint64())) },
		"break":    func() { c.SetBreakLimits(oneOf(m, m.joints), .001, 0) },
		"impulse":  func() { c.Impulse(m.body(), m.vec()) },
		"force":    func() { c.Force(m.body(), m.vec()) },
		"sleep":    func() { c.SetAwake(m.body(), m.IntN(2) == 0) },
		"new body": func() {
			m.bodies = append(m.bodies, c.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: m.vec(), Shapes: []world.ShapeDef{m.shape()}}))
		},
		"drop body": func() { c.DestroyBody(m.body()) },
		"joint": func() {
			d := world.JointDef{
				Kind: oneOf(m, []world.JointKind{world.RevoluteJoint, world.DistanceJoint, world.WeldJoint, world.WheelJoint}),
				A:    m.body(), B: m.body(), Frequency: oneOf(m, []float64{0, 3}), Damping: .5, AxisA: world.Vec{Y: 1}, BreakForce: oneOf(m, []float64{0, 20}),
			}
			m.beyond = m.beyond || d.Kind == world.RevoluteJoint && d.Frequency > 0
			m.joints = append(m.joints, c.CreateJoint(d))
		},
		"drop joint": func() { c.DestroyJoint(oneOf(m, m.joints)) },
		"gravity":    func() { c.SetGravity(world.Vec{X: 2 * m.Float64(), Y: -10}) },
		"snapshot":   func() { c.KeepSnapshot(m.IntN(2)) },
		"restore":    func() { c.RestoreSnapshot(m.IntN(2)) },
		"explode":    func() { c.Explode(world.Explosion{Centre: m.vec(), Radius: 3, ImpulsePerLength: 2}) },
		"named":      func() { c.DoNamed("meeting: push all", m.Float64(), 1) },
	}
}

// features returns all actions of a program in a frame.
func features(m *meeting) map[string]func() {
	e := m.Engine
	all := edits(m, e.Commands)
	for name, f := range edits(m, e.At(e.Demanded()+uint64(m.IntN(4)))) {
		all["later: "+name] = f
	}
	for name, f := range map[string]func(){
		"pause": func() { e.SetPaused(!e.Paused()) },
		"step":  func() { e.Step(1 + m.IntN(3)) },
		"sync": func() {
			e.SetSync(oneOf(m, []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}))
		},
		"rate":  func() { _ = e.SetRate(clock.Hz(oneOf(m, []int64{60, 50, 120}))) },
		"scale": func() { _ = e.SetScale(oneOf(m, []float64{1, .5, 2})) },
		"smoothing": func() {
			e.SetSmoothing(oneOf(m, []body2d.Smoothing{body2d.Interpolate, body2d.Hermite, body2d.Newest}))
		},
		"stall": func() { e.Advance(200 * time.Millisecond) },
		"record": func() {
			if e.History().StartRecording(m.options(e.Demanded()+uint64(m.IntN(6)))) != nil {
				m.files = m.files[:len(m.files)-1] // another recording is already being written
			}
		},
		"stop": func() {
			if on := e.History().Recording(); e.History().StopRecording() != nil && on {
				m.files[len(m.files)-1].told.Store(true)
			}
		},
		"no step":  func() { e.Step(0) },
		"limit":    func() { _ = e.SetMaxSteps(m.IntN(6)) },
		"layers":   func() { e.SetDebugLayers(body2d.Layers(m.IntN(16))) },
		"remote":   func() { edits(m, e.Remote())["new body"]() },
		"stream":   func() { m.watch(e.History().Stream) },
		"pictures": func() { m.watch(e.History().StreamStates) },
		"fail": func() {
			if m.IntN(8) == 0 { // this ends features that would be combined later
				m.goes = true
				e.At(e.Demanded() + uint64(m.IntN(3))).DoNamed("meeting: fail")
			}
		},
		"black box": func() {
			if data, err := e.History().BlackBox(); err == nil {
				m.box = data
			}
		},
		"reader": func() {
			if r, err := e.NewReader(); err == nil {
				m.readers = append(m.readers, r)
			}
		},
		"reader goes": func() {
			if n := len(m.readers); n > 0 {
				m.readers[n-1].Close()
				m.readers = m.readers[:n-1]
			}
		},
	} {
		all[name] = f
	}
	all["rollback"] = func() {
		to := e.Demanded() - min(uint64(m.IntN(5)), e.Demanded())
		_ = e.History().Rollback(to, func(c world.Commands) {
			some := edits(m, c.At(to))
			for _, name := range []string{"impulse", "density", "new body", "teleport"}[:m.IntN(4)] {
				some[name]()
			}
		})
	}
	return all
}

// watch streams the run into a file until it ends.
func (m *meeting) watch(stream func(context.Context, io.Writer) error) {
	f, ended := new(meetingFile), make(chan error, 1)
	m.files, m.streams = append(m.files, f), append(m.streams, ended)
	go func() {
		err := stream(context.Background(), f)
		f.told.Store(err != nil)
		ended <- err
	}()
	for range m.IntN(3) { // it joins between frames, or together with one
		time.Sleep(100 * time.Microsecond)
	}
}

func (m *meeting) setup(w *world.World) error {
	ground, err := w.CreateBody(world.BodyDef{Name: "ground", Position: world.Vec{Y: -1}, Shapes: []world.ShapeDef{world.Box(20, 1)}})
	if err != nil {
		return err
	}
	m.bodies, m.shapes = append(m.bodies[:0], ground), m.shapes[:0]
	for i := range 4 {
		b, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: float64(i), Y: .6 + float64(i%2)}, Shapes: []world.ShapeDef{world.Box(.4, .4), world.CircleAt(0, .5, .2)},
		})
		if err != nil {
			return err
		}
		shapes, _ := w.Shapes(b)
		m.bodies, m.shapes = append(m.bodies, b), append(m.shapes, shapes...)
	}
	var spawned []world.Body
	w.Keep(&spawned)
	w.AddControllerEvery(7, world.ControllerFunc(func(w *world.World, _ float64) {
		b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(w.Tick() % 5), Y: 4}, Shapes: []world.ShapeDef{world.Circle(.2)}})
		if err != nil {
			return
		}
		if spawned = append(slices.Clone(spawned), b); len(spawned) > 3 {
			_ = w.DestroyBody(spawned[0])
			spawned = spawned[1:]
		}
	}))
	w.AddContactHook(func(w *world.World, events []world.Event) {
		for _, ev := range events {
			if ev.Kind != world.ContactBegin || w.Tick()%3 > 0 {
				continue
			}
			switch w.Tick() % 4 {
			case 0:
				_ = w.SetDensity(ev.ShapeA, 1+float64(w.Tick()%5))
			case 1:
				_ = w.ReplaceShape(ev.ShapeB, world.CircleAt(.1, .1, .3))
			case 2:
				_, _ = w.CreateShape(ev.B, world.CircleAt(-.2, .1, .2))
			case 3:
				if i, err := w.Body(ev.B); err == nil && i.Kind == world.Dynamic {
					_ = w.DestroyBody(ev.B)
				}
			}
		}
	})
	return nil
}

// meet plays a run with one seed. It returns the error of the run, and the combined
// features.
func meet(seed uint64) (wrong error, what string) {
	m := &meeting{Rand: rand.New(rand.NewPCG(seed, 52))}
	c := engine.Config{
		Setup: m.setup,
		World: world.Config{Stepper: oneOf(m, []world.Stepper{world.FastStep, world.SoftStep}), Workers: 1},
		Time:  engine.Time{Sync: oneOf(m, []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}), Simulated: m.IntN(3) > 0},
	}
	if m.IntN(3) > 0 {
		c.History.Rollback = engine.RollbackOptions{Ticks: 6, Every: 1 + m.IntN(2)}
		c.Testing.SyncTest = 3 * m.IntN(2)
	}
	if m.IntN(2) == 0 {
		o := m.options(uint64(m.IntN(2) * m.IntN(30)))
		o.FromSetup = o.From == 0 // the library's step can replay this as well
		c.History.Record = &o
	}
	if m.IntN(2) == 0 {
		c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true}
	}
	e, err := engine.New(c)
	if err != nil {
		return err, ""
	}
	m.Engine, m.waits = e, !c.Time.Simulated
	defer e.Close()
	what = fmt.Sprintf("%v %v rollback %d, sync test %d", c.World.Stepper, c.Time.Sync, c.History.Rollback.Ticks, c.Testing.SyncTest)
	for range 3 {
		for range 6 + m.IntN(8) {
			e.Advance(time.Second / 60)
		}
		for range 2 + m.IntN(2) {
			all := features(m)
			names := make([]string, 0, len(all))
			for name := range all {
				names = append(names, name)
			}
			slices.Sort(names)
			name := oneOf(m, names)
			what += fmt.Sprintf("; %d: %s", e.Demanded(), name)
			all[name]()
			if m.IntN(2) == 0 {
				e.Advance(time.Second / 60)
			}
		}
		for range 6 {
			if r, err := e.NewReader(); err == nil { // this reader has just joined
				m.readers = append(m.readers, r)
				defer r.Close()
			}
			e.Advance(time.Second / 60)
			if n := len(m.readers); n > 4 {
				m.readers[0].Close()
				m.readers = m.readers[1:]
			}
			if err := m.compareReaders(); err != nil {
				return err, what
			}
		}
	}
	e.SetPaused(false)
	for range 10 {
		e.Advance(time.Second / 60)
	}
	e.SetPaused(true)
	loaded, err := m.loads(c)
	if err != nil {
		return err, what
	}
	err = e.Close()
	for _, ended := range m.streams {
		<-ended
	}
	if f := e.Failure(); f != nil && !m.goes {
		return fmt.Errorf("failure: %w", f), what
	} else if f == nil && loaded != nil {
		return loaded, what
	}
	if n := len(m.files); n > 0 && err != nil {
		m.files[n-1].told.Store(true)
	}
	for i, f := range m.files {
		if f.told.Load() || f.Len() == 0 {
			continue
		}
		if err := m.replays(f.Bytes(), c); err != nil {
			return fmt.Errorf("file %d: %w", i, err), what
		}
	}
	if m.box != nil {
		if err := m.replays(m.box, c); err != nil {
			return fmt.Errorf("black box: %w", err), what
		}
	}
	return nil, what
}

// compareReaders compares readers with the picture, if they show the same tick.
func (m *meeting) compareReaders() error {
	for range 100 { // physics is then ahead of the picture, unless it hangs
		if !m.waits || m.Metrics().Tick >= m.Demanded() || m.Failure() != nil {
			break
		}
		time.Sleep(50 * time.Microsecond)
	}
	for _, r := range m.readers {
		r.UpdateToPicture()
		v, rv := m.View(), r.View()
		same := v.Tick == rv.Tick && v.Revision == rv.Revision && v.Instant == rv.Instant
		for b := range m.Poses() {
			if _, ok := r.Pose(b); same && !ok {
				return fmt.Errorf("a reader lacks %v at tick %d", b, rv.Tick)
			}
		}
		for b, p := range r.Poses() {
			if b == 0 {
				return fmt.Errorf("a reader has a pose of no body at tick %d", rv.Tick)
			}
			if q, ok := m.Pose(b); same && (!ok || p != q) {
				return fmt.Errorf("a reader shows %v at %v, the picture at %v (%v)", b, p, q, ok)
			}
		}
	}
	return nil
}

// loads compares the world with a world that is loaded from the bytes of the first.
func (m *meeting) loads(c engine.Config) (wrong, err error) {
	var data []byte
	var hash uint64
	if !looked(m.Engine, func(w *world.World) {
		var s world.Snapshot
		if wrong = w.Snapshot(&s); wrong == nil {
			data, wrong = s.MarshalBinary()
		}
		hash = w.StateHash()
	}) || wrong != nil {
		return wrong, nil
	}
	other := new(meeting)
	c = engine.Config{Setup: other.setup, World: c.World, Time: c.Time}
	if c.History.Snapshot, err = world.LoadSnapshot(data); err != nil {
		return nil, err
	}
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var is uint64
	looked(e, func(w *world.World) { is = w.StateHash() })
	if is != hash {
		return fmt.Errorf("a world loaded from bytes has another StateHash at tick %d", e.Demanded()), nil
	}
	return nil, nil
}

// looked calls look with the world. It returns false if physics has failed.
func looked(e *engine.Engine, look func(*world.World)) bool {
	done := make(chan struct{})
	e.Inspect(func(w *world.World) { look(w); close(done) })
	for e.Advance(0); ; time.Sleep(50 * time.Microsecond) {
		select {
		case <-done:
			return true
		default:
			if e.Failure() != nil {
				return false
			}
		}
	}
}

// replays reads a file and replays it. It also replays it with the other stepper that
// gives the same results.
func (m *meeting) replays(data []byte, c engine.Config) error {
	r, err := engine.ReadRecording(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if r.HasStates {
		shown, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("its states: %w", err)
		}
		d := shown.Config(nil)
		d.Time.Simulated = true
		e, err := engine.New(d)
		if err != nil {
			return fmt.Errorf("its states: %w", err)
		}
		defer e.Close()
		if e.Step(int(shown.Ticks - shown.First)); e.View().Tick != shown.Ticks {
			return fmt.Errorf("its states show tick %d of %d: %w", e.View().Tick, shown.Ticks, e.Failure())
		}
		if r.States {
			return nil
		}
	}
	if _, err := r.Verify(new(meeting).setup); m.goes && err != nil && strings.Contains(err.Error(), "on purpose") {
		return nil // the replay ends with the failed call
	} else if err != nil || c.World.Stepper == world.SoftStep || m.beyond || r.Snapshot || r.Cut {
		return err
	}
	d := r.Config(asLibrary(new(meeting).setup))
	d.Time.Simulated = true
	if err := replayed(d); err != nil {
		return fmt.Errorf("with the library's step: %w", err)
	}
	return nil
}

func TestFeaturesThatMeetLoseNothing(t *testing.T) {
	playSeeds(t, uint64(norace.Rounds(whole.Rounds(60, 20), 6)), meet)
}

func TestAttackFeaturesInOneFrame(t *testing.T) { attackBySeed(t, "a meeting", "meetings", meet) }

// playSeeds plays a random session for each seed below n. The function play returns the error of
// the session, and its actions.
func playSeeds(t *testing.T, n uint64, play func(seed uint64) (err error, what string)) {
	for seed := range n {
		if err, what := play(seed); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, what)
		}
	}
}

// attackBySeed plays random sessions while the attack lasts.
func attackBySeed(t *testing.T, one, many string, play func(seed uint64) (err error, what string)) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		seed := r.Uint64()
		a.Try(one, func() {
			if err, what := play(seed); err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, what)
			}
			a.Count(many, 1)
		})
	}
}
