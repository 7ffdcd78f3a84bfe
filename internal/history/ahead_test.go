package history

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// aheadRun is a run of random frames through the loop. It reads only due ticks, so it is
// the same whether the loop runs ahead or not.
type aheadRun struct {
	results []string // results are the results at due ticks.
	ran     int      // functions given to Do
	events  []world.Event
	taken   uint64 // taken is the number of events, including answers to questions.
	data    bytes.Buffer
}

// play plays random frames. The random numbers for the commands do not depend on ahead.
func (a *aheadRun) play(t *testing.T, seed uint64, stepper world.Stepper, ahead, recorded, atOnce bool, rollback int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	more := rand.New(rand.NewPCG(seed, 2)) // this generator is for choices that must not affect the results
	w := world.NewSimulation(world.Config{Stepper: stepper, Workers: 1})
	setupAhead(t, w.World())
	bodies := slices.Collect(w.World().Bodies())
	past, err := New(w, Options{Rate: clock.Hz(60), EventsAtOnce: atOnce})
	if err != nil {
		t.Fatal(err)
	}
	p := Predict(past, past)
	if rollback > 0 {
		back, err := WithRollback(past, RollbackOptions{Ticks: rollback})
		if err != nil {
			t.Fatal(err)
		}
		p = Predict(past, back)
	}
	var file *Writer
	if recorded {
		if file, err = NewWriter(WriterOptions{W: &a.data}); err == nil {
			err = past.Record(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	l := buffer.NewLink[body2d.State, world.Event, world.Command]()
	steps := 0
	loop := physicsloop.Start(p, l, physicsloop.Options{OnStep: func(tick uint64, _ time.Duration) {
		if steps++; tick != uint64(steps) {
			t.Errorf("OnStep of tick %d where %d was due", tick, steps)
		}
	}})
	q := &aheadQueue{link: l}
	c := private.NewCommands(q, w)
	demand, held, dt := uint64(0), 0, 1./60
	demands := []uint64{0} // after that many frames
	published := map[uint64]buffer.Meta{}
	var thrust world.Vec
	for frame := range 60 {
		body := bodies[r.IntN(len(bodies))]
		switch r.IntN(14) {
		case 0:
			c.Impulse(body, world.Vec{X: 4*r.Float64() - 2, Y: 4 * r.Float64()})
		case 1:
			c.Teleport(body, world.Vec{X: 6*r.Float64() - 3, Y: 5 + r.Float64()}, 0)
		case 2:
			shape := []world.ShapeDef{world.Circle(.2), world.Capsule(world.Vec{X: -.2}, world.Vec{X: .2}, .15)}[r.IntN(2)]
			bodies = append(bodies, c.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 6*r.Float64() - 3, Y: 6}, Shapes: []world.ShapeDef{shape}}))
		case 3:
			c.DestroyBody(body)
		case 4:
			held, thrust = 1+r.IntN(8), world.Vec{X: 20 * r.Float64(), Y: 30 * r.Float64()}
		case 5:
			c.Do(func(*world.World) { a.ran++ })
		case 6:
			c.At(demand+uint64(r.IntN(4))).DoNamed("history.shove", float64(body), 1, 2)
		case 7:
			c.At(demand+uint64(r.IntN(4))).Force(body, world.Vec{Y: 40})
		case 8:
			c.KeepSnapshot(1)
		case 9:
			c.RestoreSnapshot(1)
		case 10:
			dt = []float64{1. / 60, 1. / 50}[r.IntN(2)]
		case 11:
			if rollback > 0 && demand > 2 {
				back := &Rollback{To: demand - uint64(r.IntN(3)), Blend: .1}
				private.NewCommands((*aheadBack)(back), w).DoNamed("history.shove", float64(body), 2, 1)
				back.Commands[0].At = back.To
				q.Send(0, private.NewOrder(back))
			}
		}
		if held > 0 {
			held--
			c.Force(bodies[0], thrust)
			c.ForceAt(bodies[1], thrust, world.Vec{X: .1})
		}
		if r.IntN(3) > 0 {
			c.Inspect(func(w *world.World) {
				a.results = append(a.results, fmt.Sprintf("frame %d tick %d: %016x %016x", frame, w.Tick(), w.StateHash(), w.Hash()))
			})
		}
		after := demand
		demand += uint64(r.IntN(3))
		far, needs := uint64(0), uint64(0)
		if ahead && more.IntN(12) > 0 {
			far = demand + uint64(more.IntN(5))
			needs = far - min(far, uint64(more.IntN(4)))
		}
		demands = append(demands, demand)
		n := l.Demand.Post(buffer.Frame{After: after, Demand: demand, Ahead: far, Needs: needs, Dt: dt, Commands: l.Commands.Count()})
		if more.IntN(3) > 0 && !l.Await(demand, n) {
			t.Fatalf("seed %d: %v", seed, l.Failure())
		}
		if l.Exchange.Acquire() && more.IntN(2) == 0 {
			cur, prev := l.Exchange.Current(), l.Exchange.Previous()
			for _, s := range []*buffer.Slot[body2d.State]{prev, cur} {
				if s == prev && prev.Tick == cur.Tick {
					continue // edits before the first step
				}
				if known := published[s.Tick]; s.Revision < known.Revision || s.Revision == known.Revision && s.Serial > known.Serial && known.Serial > 0 {
					t.Errorf("seed %d: tick %d has revision %d, after %d", seed, s.Tick, s.Revision, known.Revision)
				}
				published[s.Tick] = s.Meta
			}
			if prev.Tick+1 != cur.Tick && prev.Tick != cur.Tick {
				t.Errorf("seed %d: the pair is of ticks %d and %d", seed, prev.Tick, cur.Tick)
			}
			if floor := demands[cur.Frames]; cur.Tick < floor {
				t.Errorf("seed %d: tick %d, and %d is due", seed, cur.Tick, floor)
			}
		}
	}
	c.Inspect(func(w *world.World) {
		a.results = append(a.results, fmt.Sprintf("end %d: %016x, %d", w.Tick(), w.StateHash(), private.HandlesMade(past.Simulation)))
	})
	for range 2 { // after the second frame, all retractions of the first have been delivered
		if n := l.Demand.Post(buffer.Frame{After: demand, Demand: demand, Commands: l.Commands.Count()}); !l.Await(demand, n) {
			break
		}
	}
	l.Exchange.Acquire()
	a.take(l) // Close drops events that were not taken
	loop.Close()
	if f := l.Failure(); f != nil {
		t.Fatalf("seed %d: %v\n%s", seed, f, f.Stack)
	}
	if l.Exchange.Acquire(); l.Exchange.Current().Tick != demand {
		t.Errorf("seed %d: tick %d is left, %d was demanded", seed, l.Exchange.Current().Tick, demand)
	}
	w.Close()
	if recorded {
		past.EndRecording(file, true)
		<-file.Done()
	}
	if told := l.Exchange.Current().Events; l.Events.Count() != told || a.taken != told {
		t.Errorf("seed %d: %d events were told of %d, and %d taken", seed, told, l.Events.Count(), a.taken)
	}
}

// take takes the events that have been published.
func (a *aheadRun) take(l *buffer.Link[body2d.State, world.Event, world.Command]) {
	for e := l.Events.Peek(l.Exchange.Current().Events); e != nil; e = l.Events.Peek(l.Exchange.Current().Events) {
		if !private.IsReply(e) {
			a.events = append(a.events, *e)
		}
		l.Events.Take()
		a.taken++
	}
}

func setupAhead(t *testing.T, w *world.World) {
	t.Helper()
	w.Register("history.shove", func(w *world.World, a []float64) {
		w.Impulse(world.Body(uint64(a[0])), world.Vec{X: a[1], Y: a[2]})
	})
	dropped := 0
	w.Keep(&dropped)
	w.AddControllerEvery(7, world.ControllerFunc(func(w *world.World, _ float64) {
		if dropped++; dropped < 12 {
			w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(dropped%5) - 2, Y: 7}, Shapes: []world.ShapeDef{world.Box(.2, .2)}})
		}
	}))
	if _, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(10, .5)}}); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i) - 3, Y: 1 + float64(i%3)}, Shapes: []world.ShapeDef{world.Box(.3, .3)}}); err != nil {
			t.Fatal(err)
		}
	}
}

type aheadQueue struct {
	link *buffer.Link[body2d.State, world.Event, world.Command]
}

func (q *aheadQueue) Send(at uint64, c world.Command) {
	q.link.Commands.Append(buffer.Scheduled[world.Command]{At: at, Command: c})
}
func (q *aheadQueue) Room() int { return 1 }

type aheadBack Rollback

func (b *aheadBack) Send(at uint64, c world.Command) {
	b.Commands = append(b.Commands, buffer.Scheduled[world.Command]{At: at, Command: c})
}
func (b *aheadBack) Room() int { return 1 }

// Predictions do not change due ticks. The test compares hashes, handles, events,
// recordings, and how often a function given to Do runs.
func TestWhatIsPredictedChangesNothingThatIsDue(t *testing.T) {
	norace.Only(t)
	runs := whole.Rounds(120, 30) // each kind of run occurs among so many
	for seed := range uint64(runs) {
		stepper := []world.Stepper{world.FastStep, world.SoftStep}[seed%2]
		recorded, rollback := seed%3 == 0, int(seed%5/3)*8
		if recorded {
			rollback = 0 // closures and rollbacks end a recording
		}
		var plain, ahead aheadRun
		plain.play(t, seed, stepper, false, false, false, rollback)
		ahead.play(t, seed, stepper, true, recorded, false, rollback)
		if !slices.Equal(plain.results, ahead.results) {
			for i := range plain.results {
				if plain.results[i] != ahead.results[i] {
					t.Fatalf("seed %d: %s, and ahead %s", seed, plain.results[i], ahead.results[i])
				}
			}
		}
		if plain.ran != ahead.ran {
			t.Errorf("seed %d: functions ran %d times, and ahead %d", seed, plain.ran, ahead.ran)
		}
		same := func(x, y world.Event) bool { return private.EventKey(&x) == private.EventKey(&y) && x.Kind == y.Kind }
		if !slices.EqualFunc(plain.events, ahead.events, same) {
			t.Errorf("seed %d: %d events, and ahead %d", seed, len(plain.events), len(ahead.events))
		}
	}
}

// live counts the events that were delivered and not retracted.
func (a *aheadRun) live(t *testing.T, seed uint64) (live map[exports.EventKey]int, retracted int) {
	t.Helper()
	live = map[exports.EventKey]int{}
	for i := range a.events {
		e := &a.events[i]
		key := private.EventKey(e)
		if e.Kind != world.EventRetracted {
			live[key]++
			continue
		}
		if retracted++; live[key] == 0 {
			t.Errorf("seed %d: event %v of tick %d is retracted and was not told", seed, e.Was, e.Tick)
		}
		if live[key]--; live[key] == 0 {
			delete(live, key)
		}
	}
	return live, retracted
}

// With EventsAtOnce events come with the prediction. The events that are not retracted
// are the events of due ticks in a run without predictions.
func TestEventsThatComeWithThePredictionAreThoseOfDueTicksInTheEnd(t *testing.T) {
	norace.Only(t)
	runs := whole.Rounds(60, 20)
	all := 0
	for n := range uint64(runs + 3) {
		seed := n
		if n >= uint64(runs) { // these runs have more events than a log keeps after Close
			seed = []uint64{170, 669, 754}[n-uint64(runs)]
		}
		stepper := []world.Stepper{world.FastStep, world.SoftStep}[seed%2]
		rollback := int(seed%3/2) * 8
		var plain, ahead aheadRun
		plain.play(t, seed, stepper, false, false, false, rollback)
		ahead.play(t, seed, stepper, true, false, true, rollback)
		if !slices.Equal(plain.results, ahead.results) {
			t.Errorf("seed %d: due ticks differ", seed)
		}
		want, _ := plain.live(t, seed)
		got, retracted := ahead.live(t, seed)
		if all += retracted; !maps.Equal(want, got) {
			t.Errorf("seed %d: %d kinds of events, want %d", seed, len(got), len(want))
		}
	}
	if all < runs {
		t.Errorf("only %d events were retracted", all)
	}
}

// The forces that a prediction repeats are those of the last frame, even if the loop did
// not run ahead in that frame.
func TestAPredictionRepeatsTheForcesOfTheLastFrameWhateverTheModeWas(t *testing.T) {
	for _, held := range []bool{false, true} {
		w, p, ball := predicting(t)
		frame := func(force, step bool) {
			p.BeginFrame()
			if force {
				private.NewCommands(applied{p}, w).Force(ball, world.Vec{X: 5})
			}
			if step {
				p.Step(p.log.tick+1, .1)
				p.EndFrame()
			}
		}
		p.Predict(1, .1)
		frame(!held, false)
		p.Predict(1, .1)
		p.Settle()
		frame(!held, true)
		frame(held, true) // not ahead
		p.Predict(3, .1)
		frame(held, false)
		if !p.Confirm(3, .1) {
			t.Errorf("held %v: the prediction has other forces than the frames", held)
		}
	}
}

// A force for the next step, given with At(0), ends with that step, and is not a force
// of the frame.
func TestAPredictionDoesNotRepeatAForceOfOneStep(t *testing.T) {
	w, p, ball := predicting(t)
	p.BeginFrame()
	private.NewCommands(applied{p}, w).At(0).Force(ball, world.Vec{X: 5})
	p.Step(1, .1)
	p.EndFrame()
	p.Predict(2, .1)
	p.BeginFrame()
	if !p.Confirm(2, .1) {
		t.Error("the prediction had a force that the frame has not")
	}
}

// predicting makes a world with a ball, and a started Predictor around the world.
func predicting(t *testing.T) (*world.Simulation, *Predictor, world.Body) {
	t.Helper()
	w := world.NewSimulation(world.Config{Workers: 1})
	t.Cleanup(w.Close)
	ball, err := w.World().CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Shapes: []world.ShapeDef{world.Circle(.4)}})
	if err != nil {
		t.Fatal(err)
	}
	past, err := New(w, Options{Rate: clock.Hz(60)})
	if err != nil {
		t.Fatal(err)
	}
	p := Predict(past, past)
	p.Start(&buffer.Outbox[world.Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event]()})
	return w, p, ball
}

// applied carries out commands at once.
type applied struct{ *Predictor }

func (a applied) Send(_ uint64, c world.Command) { a.Apply(a.log.tick, &c, false) }
func (applied) Room() int                        { return 1 }
