package hitch

import (
	"cmp"
	"fmt"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// sentence returns the text of Report.Verdict, which says what was late, why (the parameter why),
// and how long the garbage collector ran.
func (r *report) sentence(why string) string {
	var b strings.Builder
	if r.several {
		fmt.Fprintf(&b, "%s: ", r.Engine)
	}
	if !r.inFrame() {
		if n, late := r.lateFrame(); late >= atLeastLate {
			fmt.Fprintf(&b, "frame %d came %s late: ", n, milli(late))
		}
		fmt.Fprintf(&b, "the step to tick %d took %s", r.Tick, milli(r.Took))
	} else if late := r.Took - r.Usual; late < atLeastLate {
		fmt.Fprintf(&b, "frame %d took %s", *r.Frame, milli(r.Took))
	} else {
		fmt.Fprintf(&b, "frame %d came %s late: it took %s", *r.Frame, milli(late), milli(r.Took))
	}
	fmt.Fprintf(&b, ", %s", why)
	if held := r.Counters.After.HeldFrames - r.Counters.Before.HeldFrames; held > 0 && !r.inFrame() {
		fmt.Fprintf(&b, "; the picture was held for %s", plural(held, "frame"))
	}
	switch {
	case r.Suspect == "gc":
	case r.GC.During == 0:
		b.WriteString("; no collection ran")
	default:
		fmt.Fprintf(&b, "; the collector was marking for %s of it", milli(r.GC.Marking))
	}
	b.WriteByte('.')
	return b.String()
}

// atLeastLate is the least delay of a frame that the sentence mentions, in ms.
const atLeastLate = .05

// lateFrame returns the number of the frame that the late step has delayed most, and the delay of
// that frame in ms.
func (r *report) lateFrame() (number uint64, late float64) {
	for _, o := range r.Also {
		if by := o.Took - r.usualFrame; o.Engine == "" && o.What == what(phase.Render) && o.Phase == phase.Acquire.String() && by > late {
			number, late = o.Number, by
		}
	}
	return number, late
}

// part writes a time in ms as a percentage of the time of the late step or frame.
func (r *report) part(ms float64) string { return percent(ms/r.Took) + " of it" }

// who returns the name of the function that the thread ran, in brackets, or "" if the function is
// unknown.
func (r *report) who() string {
	if at, _ := r.lastStack(func(s *stackSeen) bool { return s.Doing == running && s.Where != "" }); at != nil {
		return " (" + at.in() + ")"
	}
	return ""
}

// physics returns a description of the work that needed most of the step's time, and the time of
// that work in ms.
func (r *report) physics() (ms float64, what string) {
	p, ms := r.longest()
	w := &r.span.Work
	switch p {
	case phase.Step:
		stage, ns := r.span.LongestStage()
		if ms = float64(ns) / 1e6; stage != timing.NoStage {
			return ms, solver(stage, w) + r.second(stage, ms)
		}
		if r.span.Stages == [timing.Stages]int64{} {
			return ms, fmt.Sprintf("in the step of a world of %s and %s", bodies(w.Bodies), plural(uint64(w.Contacts), "contact")) + r.who()
		}
		return ms, "in the step, but not in the solver" + r.who()
	case phase.Commands:
		if w.Commands > 0 {
			return ms, "carrying out " + plural(uint64(w.Commands), "command")
		}
		return ms, "in carrying out commands" + r.who()
	case phase.Capture:
		return ms, "capturing the state of " + bodies(w.Bodies)
	case phase.Publish:
		return ms, "publishing the state" + r.who()
	}
	return ms, during(p) + r.who()
}

// second returns words about the stage with the second longest time. It returns "" if the stage
// with the longest time, the parameter first, took at least half of the time.
func (r *report) second(first timing.Stage, ms float64) string {
	second, most := timing.NoStage, int64(0)
	for stage, ns := range r.span.Stages {
		if timing.Stage(stage) != first && ns > most {
			second, most = timing.Stage(stage), ns
		}
	}
	if ms >= r.Took/2 || most == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s in the stage %s", percent(float64(most)/1e6/r.Took), second)
}

// solver returns words about the work of a stage.
func solver(s timing.Stage, w *timing.Work) string {
	contacts := plural(uint64(w.Contacts), "contact")
	switch s {
	case timing.Pairs:
		return fmt.Sprintf("finding pairs among %s, with %s", bodies(w.Bodies), contacts)
	case timing.NarrowPhase:
		return "computing where shapes touch (" + contacts + ")"
	case timing.Islands:
		return fmt.Sprintf("finding which of %s with %s belong together", bodies(w.Bodies), contacts)
	case timing.Solve:
		switch {
		case w.Islands == 1:
			return "solving contacts and joints of one island of " + bodies(w.Largest)
		case w.Islands > 1:
			return fmt.Sprintf("solving contacts and joints of %s islands, the largest of %s", count(uint64(w.Islands)), bodies(w.Largest))
		}
		return "solving " + contacts + " and the joints of " + bodies(w.Bodies)
	case timing.Sleep:
		return "telling of impulses and putting " + bodies(w.Bodies) + " to sleep that rest"
	}
	return "in continuous collision"
}

// during returns words about a phase for a sentence, such as "in contact hooks".
func during(p phase.Phase) string { return cmp.Or(duringPhase[p], "in "+p.String()) }

// duringPhase has the words of phases for which during does not use Phase.String.
var duringPhase = map[phase.Phase]string{
	phase.Other: "outside all phases", phase.Step: "in the step itself", phase.Contacts: "in contact hooks",
	phase.Capture: "in capturing the state", phase.Publish: "in publishing the state",
	phase.Acquire: "in taking over the newest state", phase.Upload: "in the upload",
	phase.Draw: "in drawing", phase.HUD: "in drawing the overlay", phase.Swap: "in the present",
}

// milli writes a time in ms with a suitable number of digits.
func milli(ms float64) string {
	if ms < 9.95 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*min(share, 1)) }

func count(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func bodies(n uint32) string {
	if n == 1 {
		return "1 body"
	}
	return count(uint64(n)) + " bodies"
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}
