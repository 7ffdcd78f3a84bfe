package hitch

import (
	"strings"
	"testing"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// sentences are the verdicts for some facts about hitches.
var sentences = []struct {
	name string
	e    evidence
	also []Other
	held uint64
	want string
}{
	{
		"an island", evidence{
			loop: phase.Physics, phase: phase.Step, took: 71, inPhase: 65.4, stage: timing.Solve, inStage: 64,
			work: timing.Work{Bodies: 5000, Contacts: 12_345, Islands: 1, Largest: 4812},
		}, []Other{{"", "render frame", 481, "acquire", 79.7}}, 0,
		"frame 481 came 63 ms late: the step to tick 500 took 71 ms, 90 % of it solving contacts and joints of one island of 4,812 bodies; no collection ran.",
	}, {
		"a held picture", evidence{
			loop: phase.Physics, phase: phase.Step, took: 80, inPhase: 80, stage: timing.Pairs, inStage: 72, work: timing.Work{Bodies: 1, Contacts: 1, Islands: 3},
		}, nil, 1,
		"the step to tick 500 took 80 ms, 90 % of it finding pairs among 1 body, with 1 contact; the picture was held for 1 frame; no collection ran.",
	}, {
		"the soft stepper, which has no islands", evidence{
			loop: phase.Physics, phase: phase.Step, took: 80, inPhase: 80, staged: true, stage: timing.Solve, inStage: 70,
			work: timing.Work{Bodies: 1000, Contacts: 2000},
		}, nil, 0,
		"the step to tick 500 took 80 ms, 88 % of it solving 2,000 contacts and the joints of 1,000 bodies; no collection ran.",
	}, {
		"colours", evidence{
			loop: phase.Physics, phase: phase.Step, took: 80, inPhase: 80, staged: true, stage: timing.Islands, inStage: 32, second: timing.Solve, inSecond: 20,
			work: timing.Work{Bodies: 1000, Contacts: 2000},
		}, nil, 0,
		"the step to tick 500 took 80 ms, 40 % of it finding which of 1,000 bodies with 2,000 contacts belong together, and 25 % in the stage solve; no collection ran.",
	}, {
		"user code in a step", evidence{
			loop: phase.Physics, phase: phase.Step, took: 80, inPhase: 80, inStage: 76, staged: true, work: timing.Work{Bodies: 1000},
			stacks: []stackSeen{{Doing: running, Where: "game.preSolve"}},
		}, nil, 0,
		"the step to tick 500 took 80 ms, 95 % of it in the step, but not in the solver (game.preSolve); no collection ran.",
	}, {
		"the library's step", evidence{
			loop: phase.Physics, phase: phase.Step, took: 80, inPhase: 80, inStage: 80, work: timing.Work{Bodies: 1000, Contacts: 2000},
		}, nil, 0,
		"the step to tick 500 took 80 ms, 100 % of it in the step of a world of 1,000 bodies and 2,000 contacts; no collection ran.",
	}, {
		"a lock", evidence{
			loop: phase.Physics, phase: phase.Controllers, took: 132, inPhase: 131.9,
			stacks: []stackSeen{{After: 60, Doing: "a lock", Where: "game.(*Map).Find"}},
		}, nil, 0,
		"the step to tick 500 took 132 ms, 100 % of it in controllers, waiting for a lock in game.(*Map).Find; no collection ran.",
	}, {
		"a present", evidence{
			loop: phase.Render, phase: phase.Swap, took: 158, inPhase: 156, usage: timing.Usage{Known: true, CPU: 1.4e6, Blocked: 1},
		}, nil, 0,
		"frame 200 came 141 ms late: it took 158 ms, 99 % of it in the present, which did not return; the thread ran for 1.4 ms; no collection ran.",
	}, {
		"a collection", evidence{
			loop: phase.Render, phase: phase.Draw, took: 40, inPhase: 38, collector: 36, cycles: 1,
		}, nil, 0,
		"frame 200 came 23 ms late: it took 40 ms, because the garbage collector was at work for 36 ms of it.",
	}, {
		"other programs", evidence{
			loop: phase.Render, phase: phase.Draw, took: 100, inPhase: 98, usage: timing.Usage{Known: true, CPU: 3e6, Preempted: 7},
			machine: machineLoad{Idle: 2, Own: 10, Others: 190, Waited: 180},
		}, nil, 0,
		"frame 200 came 83 ms late: it took 100 ms, because other programs had the processors: the thread ran for 3.0 ms of it; no collection ran.",
	}, {
		"new memory", evidence{
			loop: phase.Physics, phase: phase.Capture, took: 100, inPhase: 97, usage: timing.Usage{Known: true, CPU: 98e6, System: 90e6, Faults: 70_000},
		}, nil, 0,
		"the step to tick 500 took 100 ms, 97 % of it in capturing the state, which touched new memory: 70,000 page faults; no collection ran.",
	}, {
		"new memory in a step that moved to another thread", evidence{
			loop: phase.Physics, phase: phase.Controllers, took: 100, inPhase: 97,
			machine: machineLoad{Idle: 100, Own: 104, Kernel: 80, Faults: 70_000},
		}, nil, 0,
		"the step to tick 500 took 100 ms, 97 % of it in controllers, which touched new memory: 70,000 page faults; no collection ran.",
	}, {
		"other programs during a step that moved to another thread", evidence{
			loop: phase.Physics, phase: phase.Controllers, took: 100, inPhase: 97,
			machine: machineLoad{Own: 40, Others: 190, Waited: 180},
		}, nil, 0,
		"the step to tick 500 took 100 ms, because other programs had the processors; no collection ran.",
	}, {
		"other programs beside a step that moved to another thread and ran", evidence{
			loop: phase.Physics, phase: phase.Controllers, took: 100, inPhase: 97,
			machine: machineLoad{Own: 80, Others: 190, Waited: 180},
		}, nil, 0,
		"the step to tick 500 took 100 ms, 97 % of it in controllers; no collection ran.",
	}, {
		"the graphics processor", evidence{loop: phase.Render, phase: phase.Swap, took: 50, inPhase: 48, gpu: 47}, nil, 0,
		"frame 200 came 33 ms late: it took 50 ms, because the graphics processor needed 47 ms for it; no collection ran.",
	}, {
		"a frame as long as ever", evidence{loop: phase.Render, phase: phase.Draw, took: 17, inPhase: 16}, nil, 0,
		"frame 200 took 17 ms, 94 % of it in drawing; no collection ran.",
	}, {
		"a sleep that nobody planned", evidence{
			loop: phase.Render, phase: phase.Other, took: 120, inPhase: 119, usage: timing.Usage{Known: true, CPU: 1e6, Blocked: 1},
			stacks: []stackSeen{{After: 60, Doing: waitsForSleep, Where: "main.snooze", By: "main.loop"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, 99 % of it outside all phases, waiting for the end of a sleep in main.snooze, called by main.loop; no collection ran.",
	}, {
		"a sleep beside the limiter's", evidence{
			loop: phase.Render, phase: phase.Other, took: 120, inPhase: 119, planned: 16, latency: 1,
			stacks: []stackSeen{{After: 60, Doing: waitsForSleep, Where: "main.snooze", By: "main.loop"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, 99 % of it outside all phases, in a sleep in main.snooze, called by main.loop, that was not planned or ended late; no collection ran.",
	}, {
		"a limiter that other programs kept from waking", evidence{
			loop: phase.Render, phase: phase.Other, took: 120, inPhase: 119, planned: 16, usage: timing.Usage{Known: true, CPU: 1e6, Preempted: 1},
			machine: machineLoad{Own: 10, Others: 190, Waited: 180},
			stacks:  []stackSeen{{After: 60, Doing: waitsForSleep, Where: "main.limit"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, because other programs had the processors: the thread ran for 1.0 ms of it; no collection ran.",
	}, {
		"the program's own code", evidence{
			loop: phase.Render, phase: phase.Other, took: 120, inPhase: 119, latency: 100,
			stacks: []stackSeen{{After: 60, Doing: running, Where: "main.findPath", By: "main.loop"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, 99 % of it outside all phases, in main.findPath, called by main.loop; no collection ran.",
	}, {
		"the window system", evidence{
			loop: phase.Render, phase: phase.Other, took: 120, inPhase: 119,
			stacks: []stackSeen{{After: 60, Doing: inC, Where: "glfw.PollEvents", By: "main.loop"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, 99 % of it outside all phases, in C code in glfw.PollEvents, called by main.loop; no collection ran.",
	}, {
		"drawing, by whom", evidence{
			loop: phase.Render, phase: phase.Draw, took: 120, inPhase: 119, stacks: []stackSeen{{Doing: running, Where: "main.drawTrees", By: "main.draw"}},
		}, nil, 0,
		"frame 200 came 103 ms late: it took 120 ms, 99 % of it in drawing (main.drawTrees, called by main.draw); no collection ran.",
	}, {
		"nothing known", evidence{loop: phase.Render, phase: phase.Other, took: 50, inPhase: 49, latency: 1}, nil, 0,
		"frame 200 came 33 ms late: it took 50 ms, most of it outside all phases: in the program's own code, in the window system, or in a sleep that ended late; why is not known; no collection ran.",
	}, {
		"no phase alone", evidence{loop: phase.Physics, phase: phase.Step, took: 50, inPhase: 20, latency: 1}, nil, 0,
		"the step to tick 500 took 50 ms, no phase took half of it; why is not known; no collection ran.",
	},
}

// evidence is the known facts about a hitch, in milliseconds.
type evidence struct {
	loop                   phase.Thread
	phase                  phase.Phase // phase is the phase that took the most time.
	took, planned, inPhase float64
	stage, second          timing.Stage // the stages that took the most time of the step and the second most
	inStage, inSecond      float64
	staged                 bool // staged says that the solver reports its stages.
	lockstep               bool
	missed                 uint64 // missed is the number of refreshes that were missed because frames began late.
	work                   timing.Work
	usage                  timing.Usage
	collector, assist      float64
	cycles                 int
	latency, gpu           float64
	stacks                 []stackSeen
	machine                machineLoad
}

// report returns the report of a hitch with the facts in e.
func (e *evidence) report() *report {
	ns := func(ms float64) int64 { return int64(ms * 1e6) }
	frame := uint64(200)
	r := &report{Report: Report{Tick: 500, Frame: &frame, Took: e.took, Usual: 17}, Phase: e.phase.String(), usualFrame: 16.7, GPU: e.gpu, Machine: e.machine}
	r.span = timing.Span{Thread: e.loop, End: ns(e.took + e.planned), PlannedSleep: ns(e.planned), Work: e.work, Usage: e.usage}
	r.span.Spent[0] = r.span.PlannedSleep
	r.span.Spent[e.phase.Index()] += ns(e.inPhase)
	rest := ns(e.took - e.inPhase) // the rest is divided among the other phases
	for i := range r.span.Spent {
		if i != e.phase.Index() {
			r.span.Spent[i] += rest / int64(len(r.span.Spent)-1)
		}
	}
	if e.stage != timing.NoStage {
		r.span.Stages[e.stage] = ns(e.inStage)
	} else if e.staged {
		r.span.Stages[timing.Solve] = ns(e.inPhase - e.inStage)
	}
	if e.second != timing.NoStage {
		r.span.Stages[e.second] = ns(e.inSecond)
	}
	r.Stacks = e.stacks
	for i := range r.Stacks {
		r.Stacks[i].Phase = r.Phase
	}
	r.GC.During, r.GC.Marking, r.GC.Assist, r.Scheduler.Latency = e.cycles, e.collector, e.assist, e.latency
	r.Counters.After.Lockstep, r.Counters.After.Start.Missed = e.lockstep, e.missed
	return r
}

func (e *evidence) suspects() []Suspect { return e.report().suspects() }

func TestTheVerdictIsASentenceMadeOfFigures(t *testing.T) {
	for _, c := range sentences {
		r := c.e.report()
		r.Also, r.Counters.After.HeldFrames = c.also, c.held
		if r.judge(); r.Verdict != c.want {
			t.Errorf("%s:\n%s\nwant\n%s\n%+v", c.name, r.Verdict, c.want, r.Suspects)
		}
	}
}

func TestEverySuspectHasEvidence(t *testing.T) {
	for _, c := range sentences {
		seen := map[string]bool{}
		for _, s := range c.e.suspects() {
			if len(s.For)+len(s.Against) == 0 || seen[s.Name] || s.Share < 0 || s.Share > 1.0001 {
				t.Errorf("%s: %+v", c.name, s)
			}
			seen[s.Name] = true
			for _, line := range append(s.For, s.Against...) {
				if strings.Contains(line, "%!") || strings.HasSuffix(line, ".") {
					t.Errorf("%s: %q", c.name, line)
				}
			}
		}
	}
}

// A garbage collection beside a running thread explains nothing.
func TestACollectionBesideAThreadThatRunsIsNotToBlame(t *testing.T) {
	e := evidence{
		loop: phase.Physics, phase: phase.Controllers, took: 100, inPhase: 99, collector: 80, cycles: 1, assist: 2,
		usage: timing.Usage{Known: true, CPU: 97e6},
	}
	if s := e.suspects()[0]; s.Name != "physics" {
		t.Errorf("%+v", s)
	}
	e.usage, e.machine = timing.Usage{}, machineLoad{Own: 150, Idle: 50}
	if s := e.suspects()[0]; s.Name != "physics" {
		t.Errorf("with processors to spare: %+v", s)
	}
	e.assist = 70
	if s := e.suspects()[0]; s.Name != "gc" {
		t.Errorf("with assists: %+v", s)
	}
}
