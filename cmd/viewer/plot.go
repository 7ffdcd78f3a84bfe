package main

const (
	plotLong = 360 // the ticks of a plot if there is no time bar
	mostHole = 30  // the most missing ticks across which the curve is drawn
)

// sampler looks up values of the chosen body at other ticks.
type sampler struct {
	stage   *stage
	travel  *travel
	inspect *inspector
}

// sampled returns a value of the chosen body after a tick. In the past the engine of the present is
// asked first: it noted the value in its step, and the replay may know only what its picture shows.
// what is an index of plotted.
func (a *sampler) sampled(tick uint64, what int) (x float64, ok bool) {
	if a.stage.shown.what == showsPast {
		if x, ok = a.stage.live().samples.at(tick, a.inspect.body, what); ok {
			return x, ok
		}
	}
	return a.inspect.inspected().samples.at(tick, a.inspect.body, what)
}

// plotSpan returns the ticks that the plot shows: those of the time bar (see layTime), as far as samples
// are kept.
func (a *sampler) plotSpan() (from, to uint64) {
	switch r := a.stage.shown.recording; {
	case r != nil:
		from, to = r.First, r.Ticks
	case a.travel.hasPast:
		to = a.stage.player.Demanded()
		from = to - min(to, a.travel.pastTicks())
	default:
		to = a.inspect.inspected().View().Tick
		from = to - min(to, plotLong)
	}
	return max(from, to-min(to, samplesKept-1)), to
}
