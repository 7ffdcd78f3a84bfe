package hitch

import (
	"fmt"
	"slices"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// Suspect is a possible cause of a hitch, with the evidence for it and against it.
type Suspect struct {
	Name string `json:"name"` // one of the names in Report.Suspect
	// Share is the part of the time of the late step or frame that the cause can explain, from 0 to
	// 1.
	Share   float64  `json:"share"`
	For     []string `json:"for"`
	Against []string `json:"against"`

	says string // the words in the verdict about this cause
}

func (s *Suspect) addFor(format string, a ...any) {
	s.For = append(s.For, fmt.Sprintf(format, a...))
}

func (s *Suspect) addAgainst(format string, a ...any) {
	s.Against = append(s.Against, fmt.Sprintf(format, a...))
}

// addEvidence adds the text yes as evidence for the suspect if inFavour is true, or the text no as
// evidence against the suspect if it is false.
func (s *Suspect) addEvidence(inFavour bool, yes, no string, a ...any) {
	if inFavour {
		s.addFor(yes, a...)
	} else {
		s.addAgainst(no, a...)
	}
}

// judge sets the suspects of the report, and makes the verdict from the first suspect.
func (r *report) judge() {
	r.Suspects = r.suspects()
	first := &r.Suspects[0]
	r.Suspect, r.Why = first.Name, strings.Join(first.For, "; ")
	r.Verdict = r.sentence(first.says)
}

// suspects returns the possible causes, the most likely first. The list in the code begins with
// causes that stop a thread, and ends with the work that the thread was doing. The most likely
// cause is the first cause in that list that explains at least half of the time.
func (r *report) suspects() []Suspect {
	list := []Suspect{
		r.waited(), r.collected(), r.touchedMemory(), r.starved(), r.beganLate(), r.drewLong(), r.phaseItself(), r.notScheduled(),
	}
	list = slices.DeleteFunc(list, func(s Suspect) bool { return s.Name == "" })
	first := r.slept()
	if i := slices.IndexFunc(list, func(s Suspect) bool { return s.Share >= .5 }); i >= 0 {
		first = list[i]
	} else if first.Share < .5 {
		first = r.unknown()
	}
	list = slices.DeleteFunc(list, func(o Suspect) bool { return o.Name == first.Name })
	return slices.Insert(list, 0, first)
}

// longest returns the phase with the longest time, and that time in ms.
func (r *report) longest() (p phase.Phase, ms float64) {
	p = r.span.Longest()
	return p, float64(r.span.SpentIn(p.Index())) / 1e6
}

func (r *report) inFrame() bool { return r.span.Thread == phase.Render }

// off returns the time for which the thread did not run, in ms. The result known is false if the
// system does not report this time.
func (r *report) off() (ms float64, known bool) {
	if !r.span.Usage.Known || r.Took <= 0 {
		return 0, false
	}
	return max(r.Took-float64(r.span.Usage.CPU)/1e6, 0), true
}

// lastStack returns the last stack for which kind returns true, and the share of such stacks among
// the stacks in the phase with the longest time.
func (r *report) lastStack(kind func(*stackSeen) bool) (at *stackSeen, share float64) {
	n, all := 0.0, 0.0
	for i := range r.Stacks {
		if s := &r.Stacks[i]; s.Phase == r.Phase {
			all++
			if kind(s) {
				at = s
				n++
			}
		}
	}
	return at, n / max(all, 1)
}

// parked returns the last stack in which the thread waited, and the share of such stacks; see
// lastStack. It leaves out the sleep of a frame limiter, which is planned.
func (r *report) parked() (at *stackSeen, share float64) {
	return r.lastStack(func(s *stackSeen) bool { return s.waiting() && !r.limiter(s) })
}

// limiter reports whether the thread may be in the planned sleep of a frame limiter.
func (r *report) limiter(s *stackSeen) bool {
	return r.inFrame() && s.Phase == phase.Other.String() && r.span.PlannedSleep > 0 && s.Doing == waitsForSleep
}

// waited returns the suspect "waiting": the thread waited for a lock, a channel, the end of a
// sleep, or a file. Waits in the phases Swap and Acquire do not count, because these phases wait by
// design.
func (r *report) waited() (s Suspect) {
	s.Name = "waiting"
	in, long := r.longest()
	at, share := r.parked()
	seen, _ := r.lastStack(func(*stackSeen) bool { return true })
	off, known := r.off()
	switch {
	case at == nil && !known:
		return Suspect{}
	case at != nil:
		s.addFor("%.0f ms after it began, the thread waited for %s in %s", at.After, at.Doing, at.in())
		s.says = fmt.Sprintf("%s %s, waiting for %s in %s", r.part(long), during(in), at.Doing, at.in())
	case seen != nil:
		s.addAgainst("whenever it was looked at, the thread was %s", seen.Doing)
	}
	if known {
		ran := r.Took - off
		if off >= r.Took/2 {
			s.addFor("the thread ran for only %s of %s", milli(ran), milli(r.Took))
		} else {
			s.addAgainst("the thread ran for %s of %s", milli(ran), milli(r.Took))
			share = min(share, off/r.Took)
		}
	}
	switch use := &r.span.Usage; {
	case in == phase.Swap, in == phase.Acquire: // phaseItself and drewLong are about these phases
	case at != nil && (r.inFrame() || long >= r.Took/2):
		s.Share = share
	case seen == nil && known && use.Blocked > 0 && use.Preempted == 0 && r.Machine.spare():
		// No stack shows a wait, but the thread has given up its processor while processors were
		// idle.
		s.addFor("it gave up its processor by itself, and processors were idle")
		s.Share, s.says = off/r.Took, "most of it waiting "+during(in)
	}
	return s
}

// collected returns the suspect "gc": the garbage collector.
func (r *report) collected() (s Suspect) {
	s.Name = "gc"
	if r.GC.During == 0 {
		s.addAgainst("no collection ran")
	} else {
		off, known := r.off()
		marking, assist := r.GC.Marking, r.GC.Assist
		s.Share = min(marking/r.Took, 1)
		s.says = fmt.Sprintf("because the garbage collector was at work for %s of it", milli(marking))
		s.addFor("the collector was marking for about %s of %s", milli(marking), milli(r.Took))
		switch {
		case known && off+assist < r.Took/2:
			// a thread that runs while the collector marks is not delayed by it
			s.addAgainst("meanwhile the thread ran for %s, of which at most %s for the collector", milli(r.Took-off), milli(min(assist, r.Took-off)))
			s.Share = min(s.Share, (off+assist)/r.Took)
		case !known && r.Machine.spare() && assist < r.Took/2:
			s.addAgainst("processors were idle, and goroutines worked only %s for the collector", milli(assist))
			s.Share = min(s.Share, assist/r.Took)
		}
	}
	if at, share := r.lastStack(func(s *stackSeen) bool { return s.Doing == collectingGarbage }); at != nil {
		s.addFor("the thread was collecting garbage itself in %s of the stacks", percent(share))
		s.says = fmt.Sprintf("because the garbage collector ran and %s had to help it or wait for it", at.Where)
		s.Share = max(s.Share, share)
	}
	return s
}

// manyFaults is the number of page faults from which on page faults are evidence for "memory".
const manyFaults = 64

// touchedMemory returns the suspect "memory": page faults of the thread, or of the whole program if
// those of the thread are unknown.
func (r *report) touchedMemory() (s Suspect) {
	use, m := &r.span.Usage, &r.Machine
	faults, kernel, who := uint64(m.Faults), m.Kernel, "the program"
	if use.Known {
		faults, kernel, who = uint64(use.Faults), float64(use.System)/1e6, "the thread"
	} else if *m == (machineLoad{}) {
		return Suspect{}
	}
	s.Name = "memory"
	in, long := r.longest()
	s.says = fmt.Sprintf("%s %s, which touched new memory: %s page faults", r.part(long), during(in), count(faults))
	if faults >= manyFaults {
		s.addFor("%s page faults; the kernel worked %s for %s", count(faults), milli(kernel), who)
		s.Share = min(kernel/r.Took, 1)
	} else {
		s.addAgainst("%s", plural(faults, "page fault"))
	}
	if use.MajorFaults > 0 {
		off, _ := r.off()
		s.addFor("%s pages had to be read from a disk", count(uint64(use.MajorFaults)))
		s.Share = max(s.Share, off/r.Took)
	}
	return s
}

// starved returns the suspect "processor": further programs that used the processors.
func (r *report) starved() (s Suspect) {
	off, known := r.off()
	m := &r.Machine
	if !known && *m == (machineLoad{}) {
		return Suspect{}
	}
	s.Name, s.says = "processor", "because other programs had the processors"
	if *m != (machineLoad{}) {
		if m.spare() {
			s.addAgainst("processors were idle for %s", milli(m.Idle))
		} else {
			s.addFor("other programs used %s of processors; they were idle for %s", milli(m.Others), milli(m.Idle))
		}
		s.addEvidence(m.Waited >= r.Took/2, "threads of this program waited %s for a processor",
			"threads of this program waited only %s for a processor", milli(m.Waited))
	}
	if known {
		s.says += fmt.Sprintf(": the thread ran for %s of it", milli(r.Took-off))
		if n := r.span.Usage.Preempted; n > 0 {
			s.addFor("the thread was preempted (%s)", plural(uint64(n), "time"))
		} else {
			s.addAgainst("the thread was not preempted")
		}
		if off < r.Took/2 {
			s.addAgainst("the thread ran for %s of %s", milli(r.Took-off), milli(r.Took))
		}
	}
	others := m.Waited >= r.Took/2 && m.Others >= r.Took/2 && m.Others >= m.Own
	switch at, _ := r.parked(); {
	case at != nil: // a stack shows that the thread waited, and not for a processor
	case known && others:
		s.Share = off / r.Took
	case !known && others: // the thread has run for at most the time Own of the whole program
		s.Share = max(1-m.Own/r.Took, 0)
		s.addFor("the whole program ran for %s of %s", milli(m.Own), milli(r.Took))
	}
	return s
}

// spare reports whether processors were idle for a large part of the time.
func (m *machineLoad) spare() bool {
	return m.Idle > (m.Own+m.Others+m.Idle)/5
}

// drewLong returns the suspect "gpu": the graphics processor.
func (r *report) drewLong() (s Suspect) {
	if r.GPU <= 0 || !r.inFrame() {
		return Suspect{}
	}
	s.Name, s.says = "gpu", fmt.Sprintf("because the graphics processor needed %s for it", milli(r.GPU))
	s.Share = min(r.GPU/r.Took, 1)
	s.addEvidence(s.Share >= .5, "the graphics processor worked %s on it",
		"the graphics processor worked only %s on it", milli(r.GPU))
	return s
}

// phaseItself returns the work in the phase with the longest time as a suspect.
func (r *report) phaseItself() (s Suspect) {
	p, long := r.longest()
	off, known := r.off()
	s.Share = long / r.Took
	most := fmt.Sprintf("%s went by in %s", percent(s.Share), p)
	switch {
	case !r.inFrame():
		if s.Name = "physics"; p == phase.Other {
			s.Share = 0
		}
		long, s.says = r.physics()
		s.says = r.part(long) + " " + s.says
		if stage, in := r.span.LongestStage(); p == phase.Step && stage != timing.NoStage {
			most += fmt.Sprintf(", %s of it in the stage %s", milli(float64(in)/1e6), stage)
		}
	case p == phase.Swap:
		s.Name, s.says = "driver", r.part(long)+" in the present, which did not return"
		if known {
			s.says += fmt.Sprintf("; the thread ran for %s", milli(r.Took-off))
		}
	case p == phase.Upload, p == phase.Draw, p == phase.HUD:
		s.Name, s.says = "drawing", r.part(long)+" "+during(p)+r.who()
	case p == phase.Events:
		s.Name, s.says = "events", r.part(long)+" in what the program does with events"+r.who()
	case p == phase.Acquire && r.Counters.After.Lockstep:
		s.Name, s.says = "lockstep", r.part(long)+" waiting for its ticks"
	case p == phase.Other:
		at, share := r.lastStack(func(s *stackSeen) bool { return !s.waiting() && s.Where != "" })
		if at == nil {
			return Suspect{}
		}
		most = fmt.Sprintf("%s went by in the program's own code, outside all phases", percent(s.Share))
		s.Name, s.Share, s.says = "outside", min(s.Share, share), r.part(long)+" outside all phases, "
		if at.Doing != running {
			s.says += at.Doing + " "
		}
		s.says += "in " + at.in()
	default:
		return Suspect{}
	}
	s.addFor("%s", most)
	for i := range r.Stacks {
		if st := &r.Stacks[i]; st.Phase == r.Phase && st.Where != "" {
			doing := st.Doing
			if st.waiting() {
				doing = "waiting for " + doing
			}
			s.addFor("%.0f ms after it began, the thread was %s in %s", st.After, doing, st.in())
			break
		}
	}
	if known && p != phase.Swap && p != phase.Acquire {
		s.addEvidence(off < r.Took/2, "the thread ran for %s", "the thread ran for only %s", milli(r.Took-off))
	}
	return s
}

// notScheduled returns the suspect "scheduler": a goroutine that could run did not run.
func (r *report) notScheduled() (s Suspect) {
	late := r.Scheduler.Latency
	s.Name, s.says = "scheduler", fmt.Sprintf("because goroutines that could run waited up to %s for a turn", milli(late))
	s.addEvidence(late >= r.Took/2, "a goroutine that could run waited up to %s for a turn",
		"no goroutine that could run waited longer than %s", milli(late))
	if p, _ := r.longest(); r.inFrame() && (p == phase.Other || p == phase.Acquire) {
		s.Share = min(late/r.Took, 1)
	}
	return s
}

// slept returns a suspect for a sleep in a frame that has also planned a sleep. The two sleeps
// cannot be distinguished, so this suspect comes after all suspects that explain the time.
func (r *report) slept() (s Suspect) {
	at, share := r.lastStack(r.limiter)
	if at == nil {
		return Suspect{}
	}
	p, long := r.longest()
	s.Name, s.Share = "waiting", share
	s.says = fmt.Sprintf("%s %s, in a sleep in %s, that was not planned or ended late", r.part(long), during(p), at.in())
	s.addFor("%.0f ms after it began, the thread waited for %s in %s", at.After, at.Doing, at.in())
	s.addAgainst("the frame planned to sleep for %s, and perhaps that sleep ended late", milli(float64(r.span.PlannedSleep)/1e6))
	return s
}

// beganLate returns a suspect for the sleep before the frame: the frame began too late for its
// refresh, so the present waited for the next refresh.
func (r *report) beganLate() (s Suspect) {
	if p, long := r.longest(); p == phase.Swap && r.span.PlannedSleep > 0 && r.Counters.After.Start.Missed > r.Counters.Before.Start.Missed {
		s.Name, s.Share = "late start", min(long/r.Took, 1)
		s.says = "because frames began too late for the display's next refresh"
		s.addFor("%d refreshes were missed because frames slept before they began; see Time.MissBudget",
			r.Counters.After.Start.Missed-r.Counters.Before.Start.Missed)
	}
	return s
}

// unknown returns the suspect for the case that no cause explains at least half of the time.
func (r *report) unknown() (s Suspect) {
	s.Name = "outside"
	s.addFor("nothing else explains half of the time")
	switch p, long := r.longest(); {
	case p == phase.Other:
		s.says = "most of it outside all phases: in the program's own code, in the window system, or in a sleep that ended late"
	case long >= r.Took/2:
		s.says = r.part(long) + " " + during(p)
	default:
		s.says = "no phase took half of it"
	}
	s.says += "; why is not known"
	return s
}
