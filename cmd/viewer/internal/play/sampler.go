package play

import (
	"math"

	"halfstep/engine"
)

const (
	plotLong   = 360 // plotLong is the number of ticks of a plot if there is no time bar.
	MaxPlotGap = 30  // MaxPlotGap is the longest gap, in ticks, that the curve of a plot crosses.
)

// Sampler looks up values of the chosen body after earlier ticks, for the plot of the page Body and for
// files. It also finds the positions of the tracked bodies.
type Sampler struct {
	stage    *Stage
	travel   *Travel
	comparer *Comparer
	inspect  *Inspector

	Tracked []Tracked // Tracked are the bodies of -track. They are found in the first frame of a scene.
}

// Sampled returns a value of the chosen body after a tick. In the past it first asks the engine of
// the present, which recorded the value after the step. The replay may have only the values of its
// picture. The parameter what is an index of Plotted.
func (a *Sampler) Sampled(tick uint64, what int) (x float64, ok bool) {
	if a.stage.Shown.What == ShowsPast {
		if x, ok = a.stage.Present().Samples.at(tick, a.inspect.Body, what); ok {
			return x, ok
		}
	}
	return a.inspect.Inspected().Samples.at(tick, a.inspect.Body, what)
}

// PlotSpan returns the range of ticks of the plot. It is the range of the time bar, limited to the
// ticks for which samples are kept.
func (a *Sampler) PlotSpan() (from, to uint64) {
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

// Rows returns all values of the chosen body. There is a row for each tick of PlotSpan for which some
// values are known.
func (a *Sampler) Rows() (rows []LoggedSample) {
	from, to := a.PlotSpan()
	for tick := from; tick <= to; tick++ {
		row := LoggedSample{Tick: tick}
		noted := false
		for i := range Plotted {
			x, ok := a.Sampled(tick, i)
			if row.Values[i] = x; !ok {
				row.Values[i] = math.NaN()
			}
			noted = noted || ok
		}
		if noted {
			rows = append(rows, row)
		}
	}
	return rows
}

// Logged returns the values of the first tracked body after each step of the scene, with -plot.
func (a *Sampler) Logged() []LoggedSample { return a.stage.Player.Samples.logged }

// Poses calls f with the shown pose of each tracked body in this frame.
func (a *Sampler) Poses(f func(label string, p engine.Pose)) {
	for i := range a.Tracked {
		t := &a.Tracked[i]
		if p, ok := a.stage.Player.Pose(t.Body); ok {
			f(t.Label, p)
		}
	}
}

// Apart returns the distance, in m, between the positions of the first tracked body in the halves
// of a comparison. The result ok is false if there is no such body, if nothing is compared, or if
// the run that the user left is at another moment.
func (a *Sampler) Apart() (d float64, ok bool) {
	if !a.comparer.Together() || a.stage.Right == nil || len(a.Tracked) == 0 {
		return 0, false
	}
	b := a.Tracked[0].Body
	p, ok1 := a.stage.Player.Pose(b)
	q, ok2 := a.stage.Right.Player.Pose(b)
	return math.Hypot(p.CentreX-q.CentreX, p.CentreY-q.CentreY), ok1 && ok2
}
