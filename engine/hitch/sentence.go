package hitch

import (
	"cmp"
	"fmt"
	"strings"

	"halfstep/buffer/phase"
)

// sentence says what was late, why, and what the collector did. It is what the
// console, the picture, the report and Report.Verdict have in common.
func (r *Report) sentence(e *evidence) string {
	var b strings.Builder
	if r.several {
		fmt.Fprintf(&b, "%s: ", r.Engine)
	}
	if e.loop == phase.Physics {
		if n, late := r.lateFrame(); late >= atLeastLate {
			fmt.Fprintf(&b, "frame %d came %s late: ", n, milli(late))
		}
		fmt.Fprintf(&b, "the step to tick %d took %s", r.Tick, milli(r.Took))
	} else if late := r.Took - r.Usual; late < atLeastLate {
		fmt.Fprintf(&b, "frame %d took %s", *r.Frame, milli(r.Took))
	} else {
		fmt.Fprintf(&b, "frame %d came %s late: it took %s", *r.Frame, milli(late), milli(r.Took))
	}
	fmt.Fprintf(&b, ", %s", e.cause(&r.Suspects[0]))
	if held := r.Counters.After.HeldFrames - r.Counters.Before.HeldFrames; held > 0 && e.loop == phase.Physics {
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

// atLeastLate milliseconds are worth a word.
const atLeastLate = .05

// lateFrame returns the longest frame that was late at the same time, and by how
// many milliseconds.
func (r *Report) lateFrame() (number uint64, late float64) {
	for _, o := range r.Also {
		if by := o.Took - r.usualFrame; o.Engine == "" && o.What == what(phase.Render) && by > late {
			number, late = o.Number, by
		}
	}
	return number, late
}

func (e *evidence) cause(s *Suspect) string {
	in := percent(e.inPhase/e.took) + " of it"
	switch s.Name {
	case "waiting":
		if at, _ := e.parked(); at != nil {
			return fmt.Sprintf("%s %s, waiting for %s in %s", in, during(e.phase), at.Doing, at.in())
		}
		if at, _ := e.looked(e.limiter); at != nil {
			return fmt.Sprintf("%s %s, in a sleep in %s, that was not planned or ended late", in, during(e.phase), at.in())
		}
		return "most of it waiting " + during(e.phase)
	case "gc":
		for i := range e.stacks {
			if e.stacks[i].Doing == collectingGarbage {
				return fmt.Sprintf("because the garbage collector ran and %s had to help it or wait for it", e.stacks[i].Where)
			}
		}
		return fmt.Sprintf("because the garbage collector was at work for %s of it", milli(e.collector))
	case "memory":
		faults, _, _ := e.touched()
		return fmt.Sprintf("%s %s, which touched new memory: %s page faults", in, during(e.phase), count(faults))
	case "processor":
		text := "because other programs had the processors"
		if off, known := e.offProcessor(); known {
			text += fmt.Sprintf(": the thread ran for %s of it", milli(e.took-off))
		}
		return text
	case "gpu":
		return fmt.Sprintf("because the graphics processor needed %s for it", milli(e.gpu))
	case "physics":
		if e.phase == phase.Step { // of which a stage, or what is in none
			in = percent(e.inStage/e.took) + " of it"
		}
		return in + " " + e.physics()
	case "driver":
		text := in + " in the present, which did not return"
		if off, known := e.offProcessor(); known {
			text += fmt.Sprintf("; the thread ran for %s", milli(e.took-off))
		}
		return text
	case "drawing":
		return in + " " + during(e.phase) + e.who()
	case "events":
		return in + " in what the program does with events" + e.who()
	case "lockstep":
		return in + " waiting for its ticks"
	case "scheduler":
		return fmt.Sprintf("because goroutines that could run waited up to %s for a turn", milli(e.latency))
	}
	if at, _ := e.busy(); e.phase == phase.Other && at != nil && s.Share >= .5 {
		if at.Doing != running {
			return fmt.Sprintf("%s outside all phases, %s in %s", in, at.Doing, at.in())
		}
		return fmt.Sprintf("%s outside all phases, in %s", in, at.in())
	}
	if e.phase != phase.Other && e.inPhase >= e.took/2 {
		return fmt.Sprintf("%s %s; why is not known", in, during(e.phase))
	}
	if e.phase != phase.Other {
		return "no phase took half of it; why is not known"
	}
	return "most of it outside all phases: in the program's own code, in the window system, or in a sleep that ended late; why is not known"
}

// who names the function that the thread ran, in brackets, if it is known.
func (e *evidence) who() string {
	if at, _ := e.looked(func(s *Stack) bool { return s.Doing == running && s.Where != "" }); at != nil {
		return " (" + at.in() + ")"
	}
	return ""
}

func (e *evidence) physics() string {
	where := e.who()
	w := &e.work
	switch e.phase {
	case phase.Commands:
		if w.Commands == 0 {
			return "in carrying out commands" + where
		}
		return "carrying out " + plural(uint64(w.Commands), "command")
	case phase.Controllers, phase.Contacts:
		return during(e.phase) + where
	case phase.Capture:
		return "capturing the state of " + bodies(w.Bodies)
	case phase.Publish:
		return "publishing the state" + where
	}
	if !e.solving() {
		if !e.staged {
			return fmt.Sprintf("in the step of a world of %s and %s%s", bodies(w.Bodies), plural(uint64(w.Contacts), "contact"), where)
		}
		return "in the step, but not in the solver" + where
	}
	text := e.solver()
	if e.inStage < e.took/2 && e.inSecond > 0 {
		text += fmt.Sprintf(", and %s in the stage %s", percent(e.inSecond/e.took), e.second)
	}
	return text
}

func (e *evidence) solving() bool { return e.phase == phase.Step && e.stage != phase.NoStage }

func (e *evidence) solver() string {
	w := &e.work
	contacts := plural(uint64(w.Contacts), "contact")
	switch e.stage {
	case phase.Pairs:
		return fmt.Sprintf("finding pairs among %s, with %s", bodies(w.Bodies), contacts)
	case phase.NarrowPhase:
		return "computing where shapes touch (" + contacts + ")"
	case phase.Islands:
		return fmt.Sprintf("finding which of %s with %s belong together", bodies(w.Bodies), contacts)
	case phase.Solve:
		switch {
		case w.Islands == 1:
			return "solving contacts and joints of one island of " + bodies(w.Largest)
		case w.Islands > 1:
			return fmt.Sprintf("solving contacts and joints of %s islands, the largest of %s", count(uint64(w.Islands)), bodies(w.Largest))
		}
		return "solving " + contacts + " and the joints of " + bodies(w.Bodies)
	case phase.Sleep:
		return "telling of impulses and putting " + bodies(w.Bodies) + " to sleep that rest"
	case phase.Continuous:
		return "in continuous collision"
	}
	return "in the stage " + e.stage.String()
}

// during names a phase in a sentence: "in contact hooks".
func during(p phase.Phase) string { return cmp.Or(duringPhase[p], "in "+p.String()) }

// duringPhase has the phases that people call by another name.
var duringPhase = map[phase.Phase]string{
	phase.Other: "outside all phases", phase.Step: "in the step itself", phase.Contacts: "in contact hooks",
	phase.Capture: "in capturing the state", phase.Publish: "in publishing the state",
	phase.Acquire: "in taking over the newest state", phase.Upload: "in the upload",
	phase.Draw: "in drawing", phase.HUD: "in drawing the overlay", phase.Swap: "in the present",
}

// milli writes milliseconds as people say them.
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
