//go:build interleave

package physicsloop

import (
	"testing"

	"halfstep/buffer"
	"halfstep/internal/interleave"
)

// foreteller is a tally that can go back to earlier states.
type foreteller struct {
	tally
	due, at, known uint64 // ticks
}

func (f *foreteller) Predicted() uint64              { return f.known }
func (f *foreteller) Predict(tick uint64, _ float64) { f.at, f.known = tick, tick }
func (f *foreteller) Repeat()                        {}
func (f *foreteller) Settle()                        { f.at, f.known = f.due, f.due }

func (f *foreteller) MoveTo(tick uint64) bool {
	f.at = tick
	return true
}

func (f *foreteller) Confirm(tick uint64, _ float64) bool {
	if tick > f.known {
		return false
	}
	f.due = tick
	return true
}

func (f *foreteller) Step(tick uint64, _ float64) { f.due, f.at, f.known = tick, tick, tick }

func (f *foreteller) Apply(tick uint64, c *int, scheduled bool) {
	f.tally.Apply(tick, c, scheduled)
	f.at, f.known = f.due, f.due
}

func (f *foreteller) Capture(dst [][2]uint64) [][2]uint64 {
	return append(dst, [2]uint64{f.at, f.applied})
}

// When a frame has waited, both states of the pair that it needs contain its command.
// So do the states of later frames.
func TestInterleavedACorrectionIsThereOnceItWasAwaited(t *testing.T) {
	interleave.Sample(t, func(r *interleave.Run) {
		l := buffer.NewLink[[2]uint64, uint64, int]()
		loop := Start(&foreteller{}, l, Options{})
		look := func(tick, commands uint64) {
			l.Exchange.AcquireUpTo(tick)
			for _, s := range []*buffer.Slot[[2]uint64]{l.Exchange.Previous(), l.Exchange.Current()} {
				if s.States[0] != [2]uint64{s.Tick, s.Commands} {
					r.Errorf("tick %d with %d commands holds %v", s.Tick, s.Commands, s.States[0])
				}
				if s.Commands < commands {
					r.Errorf("tick %d has %d commands, want %d", s.Tick, s.Commands, commands)
				}
			}
			if c := l.Exchange.Current(); c.Tick != tick || l.Exchange.Previous().Tick != tick-1 {
				r.Errorf("ticks %d and %d, want %d", l.Exchange.Previous().Tick, c.Tick, tick)
			}
		}
		l.Demand.Post(buffer.Frame{Demand: 1, Ahead: 3, Needs: 3, Dt: .1})
		l.Await(1, 1)
		l.AwaitAhead(3)
		l.Commands.Append(buffer.Scheduled[int]{Command: 1})
		n := l.Demand.Post(buffer.Frame{After: 1, Demand: 1, Ahead: 3, Needs: 2, Dt: .1, Commands: l.Commands.Count()})
		l.Await(1, n)
		look(2, 1)
		l.AwaitAhead(3)
		look(3, 1)
		loop.Close()
	})
}
