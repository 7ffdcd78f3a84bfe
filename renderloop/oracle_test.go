package renderloop_test

import (
	"halfstep/test/frametimes"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
	"halfstep/test/baseline"
	"halfstep/test/norace"
)

// clampSteps is the limit on steps at 60 Hz if steps cost nothing. It is the number of
// steps in a frame whose length is that of the clamp.
const clampSteps = 15

type walkLoop = renderloop.Loop[body2d.State, tickEvent, push]

// threaded starts physics and the render side on a simulated clock.
func threaded(t testing.TB, sim walkSim, c renderloop.Config) (*walkLoop, *walkLink) {
	t.Helper()
	link := buffer.NewLink[body2d.State, tickEvent, push]()
	c.Simulated = true
	l, err := renderloop.New(link, c)
	if err != nil {
		t.Fatal(err)
	}
	p := physicsloop.Start(sim, link, physicsloop.Options{})
	t.Cleanup(p.Close)
	return l, link
}

// shown is a copy of a view's picture.
type shown struct {
	tick      uint64
	alpha     float32
	prev, cur []body2d.State
	poses     []scene.CentrePose
}

func look(v *scene.View[body2d.State]) shown {
	s := shown{v.Tick, v.Alpha, slices.Clone(v.Prev), slices.Clone(v.Cur), nil}
	for i := range v.Cur {
		p, _ := scene.PoseOf(v, i)
		s.poses = append(s.poses, p)
	}
	return s
}

func same(t *testing.T, what string, frame int, got, want shown) {
	t.Helper()
	if got.tick != want.tick || got.alpha != want.alpha {
		t.Fatalf("%s, frame %d: tick %d alpha %v, the loop of the articles shows tick %d alpha %v",
			what, frame, got.tick, got.alpha, want.tick, want.alpha)
	}
	if !slices.Equal(got.cur, want.cur) || !slices.Equal(got.prev, want.prev) {
		t.Fatalf("%s, frame %d: other states than the loop of the articles:\n%v %v\n%v %v", what, frame, got.prev, got.cur, want.prev, want.cur)
	}
	if !slices.Equal(got.poses, want.poses) {
		t.Fatalf("%s, frame %d: other poses than the loop of the articles", what, frame)
	}
}

// pushes returns the commands of a frame. They are the same for every loop.
func pushes(r *rand.Rand) (p []push) {
	for range r.IntN(4) {
		p = append(p, push{r.IntN(5), float32(r.NormFloat64()), r.IntN(10) == 0, r.IntN(10) == 0})
	}
	return p
}

// While physics is fast enough, Lockstep shows at frame N what the single-threaded loop
// shows at frame N. Pipelined shows at frame N what that loop shows at frame N-1. This
// holds to the bit, with commands and forces.
func TestThreadedLoopsShowWhatTheSingleThreadedLoopShows(t *testing.T) {
	for name, times := range frametimes.All(t) {
		t.Run(name, func(t *testing.T) {
			config := renderloop.Config{Rate: clock.Hz(60)}
			single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(5), baseline.Config{Rate: clock.Hz(60), MaxSteps: clampSteps})
			pipelined, _ := threaded(t, newWalkers(5), config)
			config.Sync = renderloop.Lockstep
			lockstep, _ := threaded(t, newWalkers(5), config)

			var before shown
			r := rand.New(rand.NewPCG(3, uint64(len(times))))
			for n, ns := range times {
				for _, p := range pushes(r) {
					single.Send(p)
					pipelined.Send(buffer.Scheduled[push]{Command: p})
					lockstep.Send(buffer.Scheduled[push]{Command: p})
				}
				now := look(single.Frame(ns))
				same(t, "Lockstep", n, look(lockstep.Frame(ns)), now)
				p := look(pipelined.Frame(ns))
				if n > 0 {
					same(t, "Pipelined", n, p, before)
				}
				before = now
			}
		})
	}
}

// There are calls of Step between frames in which time passes. Both modes show what the
// single-threaded loop shows. Pipelined shows it one frame later.
func TestStepShowsInBothModesWhatTheSingleThreadedLoopShows(t *testing.T) {
	for name, times := range frametimes.All(t) {
		config := renderloop.Config{Rate: clock.Hz(60)}
		single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(5), baseline.Config{Rate: clock.Hz(60), MaxSteps: clampSteps})
		pipelined, _ := threaded(t, newWalkers(5), config)
		config.Sync = renderloop.Lockstep
		lockstep, _ := threaded(t, newWalkers(5), config)

		var before shown
		r := rand.New(rand.NewPCG(4, uint64(len(times))))
		for n, ns := range times[:min(len(times), 400)] {
			for _, p := range pushes(r) {
				single.Send(p)
				pipelined.Send(buffer.Scheduled[push]{Command: p})
				lockstep.Send(buffer.Scheduled[push]{Command: p})
			}
			if r.IntN(5) == 0 {
				steps := r.IntN(20)
				single.Step(steps)
				now := look(single.Frame(0))
				same(t, name+", Lockstep, Step", n, look(lockstep.Step(steps)), now)
				same(t, name+", Pipelined, Step", n, look(pipelined.Step(steps)), now)
				before = now
				continue
			}
			now := look(single.Frame(ns))
			same(t, name+", Lockstep", n, look(lockstep.Frame(ns)), now)
			p := look(pipelined.Frame(ns))
			if n > 0 {
				same(t, name+", Pipelined", n, p, before)
			}
			before = now
		}
		if b := lockstep.Stats().Backward + pipelined.Stats().Backward; b != 0 {
			t.Errorf("%s: %d frames backward", name, b)
		}
	}
}

// The rate changes repeatedly. A pair of states is shown for the length of its step, so
// that both modes show what the single-threaded loop shows.
func TestWhereTheRateChangesBothModesShowWhatTheSingleThreadedLoopShows(t *testing.T) {
	rates := []clock.Rate{clock.Hz(60), clock.Hz(10), clock.Hz(240), {Num: 60000, Den: 1001}, clock.Hz(1000), {Num: 7, Den: 3}}
	for name, times := range frametimes.All(t) {
		config := renderloop.Config{Rate: clock.Hz(60), MaxSteps: 20}
		from := baseline.Config{Rate: clock.Hz(60), MaxSteps: 20}
		single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(3), from)
		pipelined, _ := threaded(t, newWalkers(3), config)
		config.Sync = renderloop.Lockstep
		lockstep, _ := threaded(t, newWalkers(3), config)

		var before shown
		r := rand.New(rand.NewPCG(5, uint64(len(times))))
		for n, ns := range times[:min(len(times), 400)] {
			if r.IntN(8) == 0 {
				from.Rate = rates[r.IntN(len(rates))]
				single.Tune(from)
				for _, l := range []*walkLoop{pipelined, lockstep} {
					if err := l.Clock().SetRate(from.Rate); err != nil {
						t.Fatal(err)
					}
				}
			}
			now := look(single.Frame(ns))
			same(t, name+", Lockstep", n, look(lockstep.Frame(ns)), now)
			p := look(pipelined.Frame(ns))
			if n > 0 {
				same(t, name+", Pipelined", n, p, before)
			}
			before = now
		}
	}
}

// Whatever steps cost and however long frames are, the shown instant never moves
// backwards, the ledger balances, and at most MaxSteps steps are outstanding.
func TestShownInstantNeverGoesBackAndTheBacklogIsBounded(t *testing.T) {
	norace.Only(t)
	costs := map[string]func(uint64) int64{
		"no cost":                  nil,
		"4 ms":                     func(uint64) int64 { return 4_000_000 },
		"10 ms":                    func(uint64) int64 { return 10_000_000 },
		"50 ms":                    func(uint64) int64 { return 50_000_000 },
		"quick, but for one in 97": func(tick uint64) int64 { return int64(tick%97/96)*9_000_000 + 300_000 },
		"quick and slow by turns":  func(tick uint64) int64 { return int64(tick/150%2)*9_000_000 + 300_000 },
		"irregular":                func(tick uint64) int64 { return int64(tick*2654435761%60) * 1_000_000 },
		"a minute":                 func(tick uint64) int64 { return int64(tick%50/49) * 60 * frametimes.Second },
	}
	configs := []renderloop.Config{{}, {Pacing: true, FixedLag: true, NoGovernor: true}, {Pacing: true}}
	for costName, cost := range costs {
		for name, times := range frametimes.All(t) {
			for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
				for _, with := range configs {
					with.Sync, with.StepCost = sync, cost
					l, _ := threaded(t, newWalkers(1), with)
					last := -1.
					for n, ns := range times {
						v := l.Frame(ns)
						if v.Instant < last {
							t.Fatalf("%s, %s, %v: frame %d shows %v after %v", name, costName, sync, n, v.Instant, last)
						}
						last = v.Instant
						if i, f := l.Clock().Ledger().Imbalance(); i != 0 || f != 0 {
							t.Fatalf("%s, %s: the ledger is out by %d ns", name, costName, i)
						}
					}
					if s := l.Stats(); s.Backward != 0 || s.MaxBacklog > clampSteps {
						t.Fatalf("%s, %s, %v: %d frames backward, backlog %d", name, costName, sync, s.Backward, s.MaxBacklog)
					}
				}
			}
		}
	}
}

func TestEveryEventIsDeliveredOnceInOrderWhenItIsSeen(t *testing.T) {
	for name, times := range frametimes.All(t) {
		for _, atOnce := range []bool{false, true} {
			l, _ := threaded(t, newWalkers(1), renderloop.Config{})
			l.DeliverAtOnce(atOnce)
			next := uint64(1)
			for n, ns := range times {
				v := l.Frame(ns)
				var e tickEvent
				for l.NextEvent(&e) {
					if e.tick != next {
						t.Fatalf("%s: event %d where %d was due", name, e.tick, next)
					}
					next++
					if !atOnce && float64(e.tick) > v.Instant {
						t.Fatalf("%s: frame %d shows %v and delivers an event of tick %d", name, n, v.Instant, e.tick)
					}
				}
				if atOnce && next != v.Tick+1 || !atOnce && float64(next) <= v.Instant {
					t.Fatalf("%s: frame %d shows %v at tick %d, and the event of tick %d has not come", name, n, v.Instant, v.Tick, next)
				}
			}
		}
	}
}

func TestANegativeWaitBudgetIsRefused(t *testing.T) {
	if _, err := renderloop.New(buffer.NewLink[body2d.State, tickEvent, push](), renderloop.Config{WaitBudget: -1}); err == nil {
		t.Error("no error")
	}
}
