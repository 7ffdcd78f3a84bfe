//go:build interleave

package renderloop_test

import (
	"fmt"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/interleave"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
)

// session is a render loop and a physics loop in one run of the scheduler.
type session struct {
	*interleave.Run
	link   *walkLink
	render *renderloop.Loop[body2d.State, tickEvent, push]
	loop   *physicsloop.Loop[body2d.State, tickEvent, push]

	demanded uint64 // before the last frame
	events   uint64 // taken
	shown    string // every frame
}

// The length of a frame that is as long as a step, and of a frame that is as
// long as two steps, in ns.
const (
	oneStep  = 16_666_667
	twoSteps = 2 * oneStep
)

func begin(r *interleave.Run, config renderloop.Config) *session {
	s := &session{Run: r, link: buffer.NewLink[body2d.State, tickEvent, push]()}
	config.NoGovernor = true // the governor follows the real cost of steps
	config.FixedLag = true
	var err error
	if s.render, err = renderloop.New(s.link, config); err != nil {
		r.Errorf("%v", err)
	}
	s.loop = physicsloop.Start(walkSim(newWalkers(1)), s.link, physicsloop.Options{})
	return s
}

// frame makes a frame and checks the invariants.
func (s *session) frame(ns int64) *scene.View[body2d.State] {
	s.demanded = s.render.Clock().Demand()
	v := s.render.Frame(ns)
	if st := s.render.Stats(); st.Backward != 0 {
		s.Errorf("the picture went back")
	}
	if v.Tick > s.render.Clock().Demand() {
		s.Errorf("tick %d is shown and %d was demanded", v.Tick, s.render.Clock().Demand())
	}
	if v.Tick > 0 && (v.Prev[0].X == v.Cur[0].X || v.CurSerial <= v.PrevSerial) {
		s.Errorf("tick %d: the pair is (%d, %d)", v.Tick, v.PrevSerial, v.CurSerial)
	}
	for e := (tickEvent{}); s.render.NextEvent(&e); {
		if s.events++; e.tick != s.events {
			s.Errorf("event of tick %d where %d was due", e.tick, s.events)
		}
	}
	if s.events > v.Tick {
		s.Errorf("event of tick %d beside the picture of %d", s.events, v.Tick)
	}
	s.shown += fmt.Sprintf("%d+%.3f ", v.Tick, v.Alpha)
	return v
}

func (s *session) alive() {
	if f := s.link.Failure(); f != nil {
		s.Errorf("%v\n%s", f, f.Stack)
	}
}

// However quick physics is, a Pipelined frame shows no step that the frame
// itself has demanded. Its pair is the pair around its instant.
func TestInterleavedPipelinedFrameShowsNothingOfItsOwnDemand(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		s := begin(r, renderloop.Config{})
		for _, ns := range []int64{oneStep, twoSteps} {
			if v := s.frame(ns); v.Tick > s.demanded {
				r.Errorf("tick %d is shown, and before the frame only %d was demanded", v.Tick, s.demanded)
			}
		}
		s.loop.Close()
		s.alive()
		if got := s.link.Tick(); got != s.render.Clock().Demand() {
			r.Errorf("closed at tick %d of %d", got, s.render.Clock().Demand())
		}
	})
}

func TestInterleavedLockstepFrameShowsWhatItDemanded(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		s := begin(r, renderloop.Config{Sync: renderloop.Lockstep})
		for range 2 {
			if v := s.frame(oneStep); v.Tick != s.render.Clock().Demand() {
				r.Errorf("tick %d is shown, %d was demanded", v.Tick, s.render.Clock().Demand())
			}
		}
		s.loop.Close()
		s.alive()
	})
}

// On a simulated clock the limit follows simulated physics. It jumps when the
// mode becomes Lockstep, and falls again when the mode becomes Pipelined. Under
// every schedule the frames show the same.
func TestInterleavedSimulatedClockShowsTheSameUnderEverySchedule(t *testing.T) {
	P, L := renderloop.Pipelined, renderloop.Lockstep
	for _, modes := range [][]renderloop.Sync{{P, P}, {L, P}, {P, L}} {
		t.Run(fmt.Sprint(modes), func(t *testing.T) {
			first := ""
			interleave.Explore(t, func(r *interleave.Run) {
				s := begin(r, renderloop.Config{Sync: L, Simulated: true, StepCost: func(uint64) int64 { return oneStep / 2 }})
				for _, m := range modes {
					s.render.SetSync(m)
					s.frame(oneStep)
				}
				s.loop.Close()
				s.alive()
				r.After(func() {
					if first == "" {
						first = s.shown
					}
					if s.shown != first {
						r.Errorf("shown %s, and at first %s", s.shown, first)
					}
				})
			})
		})
	}
}

// Another goroutine calls Close while a frame waits. The frame must end, and
// the picture must stay the same.
func TestInterleavedCloseBesideALockstepFrame(t *testing.T) {
	for _, simulated := range []bool{false, true} {
		interleave.Explore(t, func(r *interleave.Run) {
			s := begin(r, renderloop.Config{Sync: renderloop.Lockstep, Simulated: simulated})
			r.Go("closer", func() {
				s.loop.Close()
				s.alive()
			})
			s.frame(oneStep)
		})
	}
}

// The test plays long random sessions in which the mode changes every few
// frames.
func TestInterleavedModesAtRandom(t *testing.T) {
	for _, simulated := range []bool{false, true} {
		first := ""
		interleave.Sample(t, func(r *interleave.Run) {
			s := begin(r, renderloop.Config{Simulated: simulated})
			for n := range 40 {
				s.render.SetSync(renderloop.Sync(n / 3 % 2))
				if n%5 == 0 {
					s.render.Send(buffer.Scheduled[push]{Command: push{x: 1}})
				}
				s.frame([]int64{oneStep, twoSteps, oneStep / 3}[n%3])
			}
			s.loop.Close()
			s.alive()
			r.After(func() {
				if first == "" {
					first = s.shown
				}
				if simulated && s.shown != first {
					r.Errorf("shown\n%s, and at first\n%s", s.shown, first)
				}
			})
		})
	}
}
