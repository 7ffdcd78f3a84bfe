package engine_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/world"
)

// notForUsers are methods whose rules random calls break. Some of these rules
// say that the method panics.
var notForUsers = []string{
	"Register",             // panics on invalid names
	"Frame",                // takes real time
	"Close", "CloseWithin", // these two methods have rounds of their own
	"Written", // only in tests
}

func init() { world.Register("attack: nothing", func(*world.World, []float64) {}) }

// caller calls methods with random arguments.
type caller struct {
	*rand.Rand
	bodies []world.Body // some of them stale
	shapes []world.Shape
	joints []world.Joint
	last   string
	calls  uint64
	depth  int
	barred []string // barred are further methods that must not be called.
}

func pickOne[T ~uint64](c *caller, from []T) reflect.Value {
	if len(from) == 0 || c.IntN(10) == 0 {
		return reflect.ValueOf(T(c.Uint64N(50)))
	}
	return reflect.ValueOf(from[c.IntN(len(from))])
}

// value makes an argument of a type: an extreme number, a known or unknown
// handle, or a function that does nothing.
func (c *caller) value(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[world.Body]():
		return pickOne(c, c.bodies)
	case reflect.TypeFor[world.Shape]():
		return pickOne(c, c.shapes)
	case reflect.TypeFor[world.Joint]():
		return pickOne(c, c.joints)
	case reflect.TypeFor[time.Duration]():
		return reflect.ValueOf(time.Duration(c.IntN(100_000_000) - 10_000_000))
	case reflect.TypeFor[world.ShapeDef]():
		switch c.IntN(4) {
		case 0:
			return reflect.ValueOf(world.Box(.1+c.Float64(), .1+c.Float64()))
		case 1:
			return reflect.ValueOf(world.Capsule(world.Vec{}, world.Vec{X: .1 + c.Float64()}, .1+c.Float64()))
		}
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Float64, reflect.Float32:
		v.SetFloat(attack.Number(c.Rand))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(c.IntN(20) - 4))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(c.Uint64N(40))
	case reflect.Bool:
		v.SetBool(c.IntN(2) == 0)
	case reflect.String:
		v.SetString([]string{"", "box 2", "nobody", "attack: nothing", "\x00\xff"}[c.IntN(5)])
	case reflect.Struct:
		for i := range t.NumField() {
			if f := v.Field(i); f.CanSet() {
				f.Set(c.value(f.Type()))
			}
		}
	case reflect.Slice:
		for range c.IntN(5) {
			v = reflect.Append(v, c.value(t.Elem()))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(c.value(t.Elem()))
		}
	case reflect.Pointer:
		if t == reflect.TypeFor[*world.Event]() || c.IntN(3) > 0 && t.Elem().Kind() == reflect.Struct {
			v = reflect.New(t.Elem())
			if c.depth++; c.depth < 4 && t.Elem() != reflect.TypeFor[world.Event]() {
				v.Elem().Set(c.value(t.Elem()))
			}
			c.depth--
		}
	case reflect.Func:
		if t.NumIn() == 1 && t.In(0) == reflect.TypeFor[*world.World]() {
			seed := c.Uint64() // the function runs on another goroutine
			return reflect.ValueOf(func(w *world.World) {
				other := &caller{Rand: rand.New(rand.NewPCG(seed, 2)), bodies: slices.Collect(w.Bodies()), depth: 3}
				other.some(reflect.ValueOf(w), 8)
			})
		}
		if t == reflect.TypeFor[func(world.Commands)]() {
			return reflect.ValueOf(func(given world.Commands) {
				if c.depth++; c.depth < 4 {
					c.some(reflect.ValueOf(given.From(c.IntN(3)).At(c.Uint64N(60))), 4)
				}
				c.depth--
			})
		}
		return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			return out
		})
	case reflect.Interface:
		if t == reflect.TypeFor[world.Controller]() {
			return reflect.ValueOf(world.ControllerFunc(func(*world.World, float64) {}))
		}
		if t.NumMethod() == 0 && c.IntN(2) == 0 {
			return reflect.ValueOf([]any{7, "mine", 1.5}[c.IntN(3)])
		}
	}
	return v
}

// some calls random methods of v.
func (c *caller) some(v reflect.Value, n int) {
	for range n {
		i := c.IntN(v.NumMethod())
		name := v.Type().Method(i).Name
		m := v.Method(i)
		if slices.Contains(notForUsers, name) || slices.Contains(c.barred, name) || name == "Do" && c.depth > 0 {
			continue
		}
		var args []reflect.Value
		for k := range m.Type().NumIn() {
			if m.Type().IsVariadic() && k == m.Type().NumIn()-1 {
				break
			}
			args = append(args, c.value(m.Type().In(k)))
		}
		c.last = name
		c.calls++
		for _, out := range m.Call(args) {
			switch out := out.Interface().(type) {
			case world.Body:
				c.bodies = append(c.bodies, out)
			case world.Shape:
				c.shapes = append(c.shapes, out)
			case world.Joint:
				c.joints = append(c.joints, out)
			}
		}
	}
}

// randomConfig returns a random valid configuration of an engine.
func randomConfig(r *rand.Rand) engine.Config {
	c := engine.Config{
		Setup: stack, Time: engine.Time{Sync: renderloop.Sync(r.IntN(2)), Simulated: r.IntN(2) == 0, Smoothing: body2d.Smoothing(r.IntN(4)), Pacing: engine.Pacing(r.IntN(3)), EventsAtOnce: r.IntN(2) == 0, MaxSteps: r.IntN(8)}, World: world.Config{NoSleep: r.IntN(4) == 0, NoContinuous: r.IntN(4) == 0, SubStepping: r.IntN(8) == 0, Stepper: world.Stepper(r.IntN(2)), Workers: r.IntN(3)}, Testing: engine.Testing{NoPhases: r.IntN(4) == 0, FixedLag: r.IntN(4) == 0, NoGovernor: r.IntN(4) == 0},
	}
	if r.IntN(3) == 0 {
		c.History.Rollback.Ticks = 1 + r.IntN(20)
		c.History.Rollback.Every = r.IntN(c.History.Rollback.Ticks + 1)
	}
	if r.IntN(3) == 0 {
		c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true, Length: time.Duration(r.IntN(int(2 * time.Second)))}
	}
	return c
}

// The test calls all methods of Engine, of the engine's Commands and, on the
// physics goroutine, of World, in any order and with any arguments. No call
// may panic, hang or end physics, and the recordings must replay.
func TestAttackCalls(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		config, c := randomConfig(r), &caller{Rand: r}
		var file bytes.Buffer
		recorded := r.IntN(3) == 0
		if recorded {
			// the effects of a closure cannot be recorded
			c.barred = []string{"Do", "Inspect", "Send"}
			config.History.Record = &engine.RecordOptions{W: &file}
		}
		e, err := engine.New(config)
		if err != nil {
			t.Fatal(err)
		}
		a.Try("the engine", func() {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("%s panics", c.last)
					panic(v)
				}
			}()
			for range 40 {
				switch r.IntN(8) {
				case 0:
					c.some(reflect.ValueOf(e.Remote()), 5)
				case 1:
					c.some(reflect.ValueOf(e.At(e.Demanded()+uint64(r.IntN(5)))), 5)
				default:
					c.some(reflect.ValueOf(e), 5)
				}
				e.Advance(time.Duration(r.IntN(50_000_000)))
				if r.IntN(2) == 0 {
					for range e.Events() {
						a.Count("events", 1)
					}
				}
			}
		})
		if err := e.Failure(); err != nil {
			t.Errorf("physics ended: %v\n%s", err, stackOf(err))
		}
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if r.IntN(4) == 0 { // calls of a closed engine must not fail either
			a.Try("a closed engine", func() { c.some(reflect.ValueOf(e), 20) })
		}
		if recorded {
			if _, err := read(t, file.Bytes()).Verify(stack); err != nil {
				t.Errorf("the recording of it: %v", err)
			}
			a.Count("recordings replayed", 1)
		}
		a.Count("calls", c.calls)
	}
}

func stackOf(err error) []byte {
	if f, ok := err.(*buffer.Failure); ok {
		return f.Stack
	}
	return nil
}

// Several goroutines create and close engines at any moment, after any number
// of frames. No goroutine and no memory may be left.
func TestAttackEngines(t *testing.T) {
	a := attack.Start(t)
	var warm uint64
	routines, made := runtime.NumGoroutine(), 0
	for r := range a.Rounds() {
		for range 50 {
			e, err := engine.New(randomConfig(r))
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			closers := 1 + r.IntN(3)
			for range closers {
				if r.IntN(4) == 0 { // beside a frame
					wg.Go(func() { e.CloseWithin(time.Minute) })
				}
			}
			remote := e.Remote()
			if r.IntN(3) == 0 {
				wg.Go(func() {
					for range 20 {
						remote.CreateBody(ball(0, 3))
					}
				})
			}
			for range r.IntN(12) {
				e.Advance(time.Second / 60)
			}
			if err := e.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			wg.Wait()
			if err := e.Failure(); err != nil {
				t.Errorf("physics ended: %v\n%s", err, stackOf(err))
			}
			made++
		}
		a.Count("engines", 50)
		used := heap()
		if warm == 0 {
			warm = used
		}
		if used > warm+warm/4+4<<20 {
			t.Fatalf("%d engines left %d kB more than the first 50", made, (used-warm)>>10)
		}
		for wait := time.Now(); runtime.NumGoroutine() > routines+2 && time.Since(wait) < 10*time.Second; {
			time.Sleep(time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > routines+2 {
			t.Fatalf("%d engines left %d goroutines", made, n-routines)
		}
	}
}

// Fifty goroutines give commands as fast as they can. The memory must stay
// bounded, frames must continue, and Close must end all of it.
func TestAttackRemotes(t *testing.T) {
	a := attack.Start(t)
	a.Bound(512 << 20)
	for r := range a.Rounds() {
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Sync: renderloop.Sync(r.IntN(2))}})
		if err != nil {
			t.Fatal(err)
		}
		end := make(chan struct{})
		var wg sync.WaitGroup
		for range 50 {
			remote, seed := e.Remote(), r.Uint64()
			wg.Go(func() {
				r := rand.New(rand.NewPCG(seed, 0))
				for {
					select {
					case <-end:
						return
					default:
					}
					for range 100 {
						remote.Impulse(world.Body(r.IntN(20)), world.Vec{X: 1e-6})
					}
				}
			})
		}
		frames := uint64(0)
		for until := time.Now().Add(min(a.Left(), 5*time.Second)); time.Now().Before(until); frames++ {
			e.Frame()
			for range e.Events() {
			}
			time.Sleep(5 * time.Millisecond)
		}
		e.Close()
		close(end)
		wg.Wait()
		if err := e.Failure(); err != nil {
			t.Errorf("physics ended: %v", err)
		}
		if frames == 0 {
			t.Error("there was no frame")
		}
		a.Count("frames", frames)
		runtime.GC()
	}
}
