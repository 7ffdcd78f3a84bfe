package hitch

import (
	"fmt"
	"slices"

	"halfstep/buffer/phase"
)

// evidence is all that is known of a hitch. Times are in milliseconds.
type evidence struct {
	loop     phase.Thread
	phase    phase.Phase // that took the most time
	lockstep bool
	took     float64 // without planned sleep
	planned  float64 // sleep
	inPhase  float64 // of it, in that phase

	stage   phase.Stage // that took the most time of the step
	inStage float64     // or in none
	second  phase.Stage // that took the most time after it
	work    phase.Work

	inSecond float64 // of the step, in that stage
	staged   bool    // the solver tells its stages

	collector float64 // of it, the collector was marking
	assist    float64 // that goroutines worked for the collector
	cycles    int     // collections during it
	latency   float64 // the longest that a goroutine waited for a processor
	usage     phase.Usage
	stacks    []Stack
	machine   Machine
	gpu       float64 // that the graphics processor took, 0 if it is not known
}

// Suspect is a possible cause of a hitch, with what speaks for it and against it.
type Suspect struct {
	Name string `json:"name"` // as Report.Suspect
	// Share is how much of what was late it can explain, from 0 to 1.
	Share   float64  `json:"share"`
	For     []string `json:"for"`
	Against []string `json:"against"`
}

func (s *Suspect) speaksFor(format string, a ...any) {
	s.For = append(s.For, fmt.Sprintf(format, a...))
}

func (s *Suspect) speaksAgainst(format string, a ...any) {
	s.Against = append(s.Against, fmt.Sprintf(format, a...))
}

// speaks notes one of two texts, the first if it speaks for the suspect.
func (s *Suspect) speaks(inFavour bool, yes, no string, a ...any) {
	if inFavour {
		s.speaksFor(yes, a...)
	} else {
		s.speaksAgainst(no, a...)
	}
}

// suspects returns who may be to blame, the most likely first. The first of those
// that explain at least half of the time in this order is it: what takes a thread
// its processor or makes it wait comes before what the thread was about.
func (e *evidence) suspects() []Suspect {
	list := []Suspect{
		e.waited(), e.gc(), e.memory(), e.processor(), e.gpuWork(), e.phaseItself(), e.scheduler(),
	}
	list = slices.DeleteFunc(list, func(s Suspect) bool { return s.Name == "" })
	first := e.slept()
	if i := slices.IndexFunc(list, func(s Suspect) bool { return s.Share >= .5 }); i >= 0 {
		first = list[i]
	} else if first.Share < .5 {
		first = Suspect{Name: "outside"}
		first.speaksFor("nothing else explains half of the time")
	}
	list = slices.DeleteFunc(list, func(o Suspect) bool { return o.Name == first.Name })
	return slices.Insert(list, 0, first)
}

// offProcessor is for how long the thread did not run; ok is false if that is not
// known.
func (e *evidence) offProcessor() (ms float64, ok bool) {
	if !e.usage.Known || e.took <= 0 {
		return 0, false
	}
	return max(e.took-float64(e.usage.CPU)/1e6, 0), true
}

// parked returns the stack that tells what the thread waited for, and the share of
// the stacks in which it waited. A frame's limiter sleeps on purpose; if that took
// too long, the sleep is not the cause.
func (e *evidence) parked() (at *Stack, share float64) {
	return e.looked(func(s *Stack) bool { return s.waiting() && !e.limiter(s) })
}

// limiter reports whether the sleep in a stack may be that of a frame's limiter, which
// ended late.
func (e *evidence) limiter(s *Stack) bool {
	return e.loop == phase.Render && e.phase == phase.Other && e.planned > 0 && s.Doing == waitsForSleep
}

func (e *evidence) busy() (at *Stack, share float64) {
	return e.looked(func(s *Stack) bool { return !s.waiting() && s.Where != "" })
}

func (e *evidence) looked(kind func(*Stack) bool) (at *Stack, share float64) {
	n := 0
	for i := range e.stacks {
		if kind(&e.stacks[i]) {
			at = &e.stacks[i]
			n++
		}
	}
	if n == 0 {
		return nil, 0
	}
	return at, float64(n) / float64(len(e.stacks))
}

// waited suspects something that the thread waited for: a lock, a channel, a
// sleep, a file. Waiting in a present or for ticks is what these do.
func (e *evidence) waited() (s Suspect) {
	s.Name = "waiting"
	at, share := e.parked()
	off, known := e.offProcessor()
	switch {
	case at == nil && !known:
		return Suspect{}
	case at != nil:
		s.speaksFor("%.0f ms after it began, the thread waited for %s in %s", at.After, at.Doing, at.in())
	case len(e.stacks) > 0:
		s.speaksAgainst("whenever it was looked at, the thread was %s", e.stacks[0].Doing)
	}
	if known {
		ran := e.took - off
		if off >= e.took/2 {
			s.speaksFor("the thread ran for only %s of %s", milli(ran), milli(e.took))
		} else {
			s.speaksAgainst("the thread ran for %s of %s", milli(ran), milli(e.took))
			share = min(share, off/e.took)
		}
	}
	own := e.phase == phase.Swap || e.phase == phase.Acquire
	if at != nil && !own {
		s.Share = share
		if e.inPhase < e.took/2 && e.loop == phase.Physics {
			s.Share = 0
		}
	}
	if at == nil && known && e.usage.Blocked > 0 && e.usage.Preempted == 0 && !own && len(e.stacks) == 0 && e.machine.spare() {
		// Too short for a stack. The thread gave its processor up by itself, and
		// processors were idle.
		s.speaksFor("it gave up its processor by itself, and processors were idle")
		s.Share = off / e.took
	}
	return s
}

func (e *evidence) gc() (s Suspect) {
	s.Name = "gc"
	in := 0
	for i := range e.stacks {
		if e.stacks[i].Doing == collectingGarbage {
			in++
		}
	}
	s.Share = min(e.collector/e.took, 1)
	off, known := e.offProcessor()
	switch {
	case e.cycles == 0:
	case known && off+e.assist < e.took/2:
		// Marking beside a thread that runs does not hold it up.
		s.speaksAgainst("meanwhile the thread ran for %s, of which at most %s for the collector", milli(e.took-off), milli(min(e.assist, e.took-off)))
		s.Share = min(s.Share, (off+e.assist)/e.took)
	case !known && e.machine.spare() && e.assist < e.took/2:
		s.speaksAgainst("processors were idle, and goroutines worked only %s for the collector", milli(e.assist))
		s.Share = min(s.Share, e.assist/e.took)
	}
	if e.cycles > 0 {
		s.speaksFor("the collector was marking for about %s of %s", milli(e.collector), milli(e.took))
	} else {
		s.speaksAgainst("no collection ran")
		s.Share = 0
	}
	if in > 0 {
		s.speaksFor("the thread was collecting garbage itself in %d of %d stacks", in, len(e.stacks))
		s.Share = max(s.Share, float64(in)/float64(len(e.stacks)))
	}
	return s
}

func (e *evidence) memory() (s Suspect) {
	faults, kernel, who := e.touched()
	if who == "" {
		return Suspect{}
	}
	s.Name = "memory"
	if faults >= manyFaults {
		s.speaksFor("%s page faults; the kernel worked %s for %s", count(faults), milli(kernel), who)
		s.Share = min(kernel/e.took, 1)
	} else {
		s.speaksAgainst("%s", plural(faults, "page fault"))
	}
	if u := &e.usage; u.MajorFaults > 0 {
		off, _ := e.offProcessor()
		s.speaksFor("%s pages had to be read from a disk", count(uint64(u.MajorFaults)))
		s.Share = max(s.Share, off/e.took)
	}
	return s
}

// touched returns the page faults of the thread, or of the whole program, which is
// a bound, and the milliseconds that the kernel worked. It does not know who where
// the system does not tell.
func (e *evidence) touched() (faults uint64, kernel float64, who string) {
	switch m := &e.machine; {
	case e.usage.Known:
		return uint64(e.usage.Faults), float64(e.usage.System) / 1e6, "the thread"
	case *m != (Machine{}):
		return uint64(m.Faults), m.Kernel, "the program"
	}
	return 0, 0, ""
}

// manyFaults are page faults that a thread makes only when it touches much memory
// for the first time.
const manyFaults = 64

func (e *evidence) processor() (s Suspect) {
	off, known := e.offProcessor()
	m := &e.machine
	if !known && *m == (Machine{}) {
		return Suspect{}
	}
	s.Name = "processor"
	if *m != (Machine{}) {
		if m.spare() {
			s.speaksAgainst("processors were idle for %s", milli(m.Idle))
		} else {
			s.speaksFor("other programs used %s of processors; they were idle for %s", milli(m.Others), milli(m.Idle))
		}
		s.speaks(m.Waited >= e.took/2, "threads of this program waited %s for a processor",
			"threads of this program waited only %s for a processor", milli(m.Waited))
	}
	if known {
		if e.usage.Preempted > 0 {
			s.speaksFor("the thread was preempted (%s)", plural(uint64(e.usage.Preempted), "time"))
		} else {
			s.speaksAgainst("the thread was not preempted")
		}
		if off < e.took/2 {
			s.speaksAgainst("the thread ran for %s of %s", milli(e.took-off), milli(e.took))
		}
	}
	starved := m.Waited >= e.took/2 && m.Others >= e.took/2 && m.Others >= m.Own
	switch at, _ := e.parked(); {
	case at != nil: // it waited for something else
	case known && starved:
		s.Share = off / e.took
	case !known && starved: // the thread ran no longer than the whole program did
		s.Share = max(1-m.Own/e.took, 0)
		s.speaksFor("the whole program ran for %s of %s", milli(m.Own), milli(e.took))
	}
	return s
}

// spare reports whether processors were idle for a good part of the time.
func (m *Machine) spare() bool {
	return m.Idle > (m.Own+m.Others+m.Idle)/5
}

func (e *evidence) gpuWork() (s Suspect) {
	if e.gpu <= 0 || e.loop != phase.Render {
		return Suspect{}
	}
	s.Name = "gpu"
	s.Share = min(e.gpu/e.took, 1)
	s.speaks(s.Share >= .5, "the graphics processor worked %s on it",
		"the graphics processor worked only %s on it", milli(e.gpu))
	return s
}

func (e *evidence) phaseItself() (s Suspect) {
	s.Share = e.inPhase / e.took
	in := fmt.Sprintf("%s went by in %s", percent(s.Share), e.phase)
	switch {
	case e.loop == phase.Physics:
		s.Name = "physics"
		if e.phase == phase.Other {
			s.Share = 0
		}
		if e.solving() {
			in += fmt.Sprintf(", %s of it in the stage %s", milli(e.inStage), e.stage)
		}
	case e.phase == phase.Swap:
		s.Name = "driver"
	case e.phase == phase.Upload, e.phase == phase.Draw, e.phase == phase.HUD:
		s.Name = "drawing"
	case e.phase == phase.Events:
		s.Name = "events"
	case e.phase == phase.Acquire && e.lockstep:
		s.Name = "lockstep"
	case e.phase == phase.Other:
		at, share := e.busy()
		if at == nil {
			return Suspect{}
		}
		s.Name, in = "outside", fmt.Sprintf("%s went by in the program's own code, outside all phases", percent(s.Share))
		s.Share = min(s.Share, share)
	default:
		return Suspect{}
	}
	s.speaksFor("%s", in)
	for i := range e.stacks {
		if st := &e.stacks[i]; st.Where != "" {
			s.speaksFor("%.0f ms after it began, the thread was %s in %s", st.After, doing(st), st.in())
			break
		}
	}
	if off, known := e.offProcessor(); known && e.phase != phase.Swap && e.phase != phase.Acquire {
		s.speaks(off < e.took/2, "the thread ran for %s", "the thread ran for only %s", milli(e.took-off))
	}
	return s
}

func doing(s *Stack) string {
	if s.waiting() {
		return "waiting for " + s.Doing
	}
	return s.Doing
}

// scheduler suspects that a goroutine that could run was not run.
func (e *evidence) scheduler() (s Suspect) {
	s.Name = "scheduler"
	s.speaks(e.latency >= e.took/2, "a goroutine that could run waited up to %s for a turn",
		"no goroutine that could run waited longer than %s", milli(e.latency))
	if e.loop == phase.Render && (e.phase == phase.Other || e.phase == phase.Acquire) {
		s.Share = min(e.latency/e.took, 1)
	}
	return s
}

// slept suspects a sleep in a frame that has a limiter too. Which of the two it was is
// not known, so whatever else explains the time comes first.
func (e *evidence) slept() (s Suspect) {
	at, share := e.looked(e.limiter)
	if at == nil {
		return Suspect{}
	}
	s.Name, s.Share = "waiting", share
	s.speaksFor("%.0f ms after it began, the thread waited for %s in %s", at.After, at.Doing, at.in())
	s.speaksAgainst("the frame planned to sleep for %s, and perhaps that sleep ended late", milli(e.planned))
	return s
}

// collecting estimates for how much of a span, in milliseconds, the collector
// was marking: the collections whose marking overlaps it, each of which took
// mark milliseconds, ended at ends (ns).
func collecting(s *phase.Span, ends []int64, mark float64) (cycles int, ms float64) {
	long := int64(mark * 1e6)
	for _, end := range ends {
		from, to := max(end-long, s.Start), min(end, s.End)
		if end >= s.Start && end-long <= s.End {
			cycles++
			ms += float64(max(to-from, 0)) / 1e6
		}
	}
	return cycles, min(ms, s.Took().Seconds()*1e3)
}
