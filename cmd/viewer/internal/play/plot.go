package play

const (
	plotLong = 360 // the ticks of a plot if there is no time bar
	MostHole = 30  // the most missing ticks across which the curve is drawn
)

// sampler looks up values of the chosen body at other ticks.
type sampler struct {
	stage   *Stage
	travel  *travel
	inspect *inspector
}

// Sampled returns a value of the chosen body after a tick. In the past the engine of the present is
// asked first: it noted the value in its step, and the replay may know only what its picture shows.
// what is an index of plotted.
func (a *sampler) Sampled(tick uint64, what int) (x float64, ok bool) {
	if a.stage.Shown.What == ShowsPast {
		if x, ok = a.stage.Live().Samples.at(tick, a.inspect.Body, what); ok {
			return x, ok
		}
	}
	return a.inspect.Inspected().Samples.at(tick, a.inspect.Body, what)
}

// PlotSpan returns the ticks that the plot shows: those of the time bar (see layTime), as far as samples
// are kept.
func (a *sampler) PlotSpan() (from, to uint64) {
	switch r := a.stage.Shown.Recording; {
	case r != nil:
		from, to = r.First, r.Ticks
	case a.travel.HasPast:
		to = a.stage.Player.Demanded()
		from = to - min(to, a.travel.PastTicks())
	default:
		to = a.inspect.Inspected().View().Tick
		from = to - min(to, plotLong)
	}
	return max(from, to-min(to, samplesKept-1)), to
}
