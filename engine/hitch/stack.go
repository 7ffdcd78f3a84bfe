package hitch

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/engine"
)

// stackSeen describes what a late thread was doing at one moment.
type stackSeen struct {
	After float64  `json:"after_ms"` // the time since the step or frame began, in ms
	Phase string   `json:"phase"`
	Doing string   `json:"doing"` // "running", or what the thread waited for
	Where string   `json:"where"` // the function to which the report points, see place
	By    string   `json:"called_by,omitempty"`
	Calls []string `json:"calls"` // the first stackDepth functions of the stack, innermost first

	all []string // all functions of the stack, innermost first
}

// in returns the names of the functions Where and By, for a sentence.
func (s *stackSeen) in() string {
	if s.By == "" {
		return s.Where
	}
	return s.Where + ", called by " + s.By
}

// The values of stackSeen.Doing that are not in the list waits.
const (
	running           = "running"
	collectingGarbage = "collecting garbage"
	inC               = "in C code"
	waitsForSleep     = "the end of a sleep"
	inKernel          = "in a system call"
)

// waits has the functions in which a goroutine waits, and what the goroutine waits for in each
// function.
var waits = []struct{ function, what string }{
	{"time.Sleep", waitsForSleep},
	{"sync.(*WaitGroup).Wait", "other goroutines"},
	{"sync.(*Cond).Wait", "other goroutines"},
	{"internal/sync.(*Mutex)", "a lock"},
	{"sync.(*Mutex)", "a lock"},
	{"sync.(*RWMutex)", "a lock"},
	{"internal/poll.", "input or output"},
	{"runtime.chan", "a channel"},
	{"runtime.selectgo", "a channel"},
}

// Each stack stops all goroutines for some microseconds, so these numbers are small.
const (
	stacksPerSpan   = 4
	stacksPerSample = 2 // the greatest number of stacks between two samples of the recorder
	stackDepth      = 24
)

// watchStacks stores the stack of each thread whose step or frame has taken at least three quarters
// of the threshold.
func (r *Recorder) watchStacks() {
	for _, w := range r.engines() {
		for _, t := range []phase.Thread{phase.Physics, phase.Render} {
			b := w.of.Busy(t)
			key := unit{t, b.Number}
			if b == (engine.Busy{}) || b.For < r.threshold(t)*3/4 || len(w.stacks[key]) >= stacksPerSpan || r.stacksLeft <= 0 {
				continue
			}
			r.stacksLeft--
			s, ok := takeStack(w.of.Name(), t)
			// If the thread has begun a new phase since the first call of Busy, the stack is not
			// used.
			if again := w.of.Busy(t); !ok || again.Number != b.Number || again.Phase != b.Phase {
				continue
			}
			s.Phase, s.After = b.Phase.String(), ms(b.For)
			w.stacks[key] = append(w.stacks[key], s)
		}
	}
}

// takeStack returns what the thread of an engine is doing. It uses the runtime's profile of
// goroutines, because only that has the labels of each stack.
func takeStack(name string, t phase.Thread) (stackSeen, bool) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return stackSeen{}, false
	}
	return findStack(b.String(), name, t, resolve)
}

// resolve returns the names of the functions of a stack, innermost first.
func resolve(pcs []uintptr) (calls []string) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" {
			calls = append(calls, f.Function)
		}
		if !more {
			return calls
		}
	}
}

// findStack finds the stack of a thread in a profile of goroutines in text form.
func findStack(profile, name string, t phase.Thread, resolve func([]uintptr) []string) (best stackSeen, ok bool) {
	// A goroutine that a thread has started also has the labels of the thread. The stack of the
	// physics thread contains the physics loop. For the render thread, the deepest stack with the
	// labels is most likely the right stack.
	depth := 0
	for _, block := range strings.Split(profile, "\n\n") {
		_, labels, _ := strings.Cut(block, "\n# labels: ")
		labels, _, _ = strings.Cut(labels, "\n")
		if !strings.Contains(labels, fmt.Sprintf("%q:%q", "engine", name)) ||
			!strings.Contains(labels, fmt.Sprintf("%q:%q", "loop", t.String())) {
			continue
		}
		calls := resolve(counters(block))
		if !slices.ContainsFunc(calls, func(c string) bool { return !standard(c) }) {
			continue // this is a goroutine of the runtime that the thread has started
		}
		weight := len(calls)
		if t == phase.Physics && slices.ContainsFunc(calls, inPhysicsLoop) {
			weight = math.MaxInt
		}
		if weight > depth {
			depth = weight
			best, ok = describeStack(calls), true
		}
	}
	return best, ok
}

func inPhysicsLoop(function string) bool {
	return strings.HasPrefix(function, "halfstep/physicsloop.(*Loop")
}

// counters returns the program counters of a block of the profile.
func counters(block string) (pcs []uintptr) {
	_, list, _ := strings.Cut(block, " @ ")
	list, _, _ = strings.Cut(list, "\n")
	for _, word := range strings.Fields(list) {
		if pc, err := strconv.ParseUint(word, 0, 64); err == nil {
			pcs = append(pcs, uintptr(pc))
		}
	}
	return pcs
}

// describeStack returns what a goroutine with the given stack is doing, and in which function.
func describeStack(calls []string) stackSeen {
	s := stackSeen{Doing: running, Calls: calls[:min(len(calls), stackDepth)], all: calls}
	parked := strings.HasPrefix(calls[0], "runtime.gopark") // true if the goroutine waits
	for _, c := range calls {
		switch {
		case strings.HasPrefix(c, "runtime.GC") || strings.HasPrefix(c, "runtime.gcAssist") || strings.HasPrefix(c, "runtime.gcStart"):
			s.Doing = collectingGarbage
		case s.Doing != running:
		case c == "runtime.cgocall":
			s.Doing = inC
		case strings.HasPrefix(c, "syscall.") || strings.HasPrefix(c, "internal/runtime/syscall."):
			s.Doing = inKernel
		case parked:
			for _, w := range waits {
				if strings.HasPrefix(c, w.function) {
					s.Doing = w.what
				}
			}
		}
	}
	if parked && s.Doing == running {
		s.Doing = "other goroutines"
	}
	s.Where, s.By = place(calls)
	return s
}

// place returns the function of a stack to which a report points, without regard to functions of
// Go's own packages. If the engine has called the program, it is the function that the engine has
// called. In the program's own loop, it is the innermost function, and by is the caller of that
// function. If all functions belong to the engine, it is the innermost function.
func place(calls []string) (where, by string) {
	calls = slices.DeleteFunc(slices.Clone(calls), standard)
	if len(calls) == 0 {
		return "", ""
	}
	theirs := slices.IndexFunc(calls, func(c string) bool { return !ours(c) })
	if theirs < 0 {
		return short(calls[0]), ""
	}
	if n := slices.IndexFunc(calls[theirs:], ours); n > 0 {
		return short(calls[theirs+n-1]), ""
	}
	if theirs = max(theirs, 1); theirs < len(calls) {
		by = short(calls[theirs])
	}
	return short(calls[0]), by
}

// entry sets By, for a late frame, to the function that the program's loop has called. This is the
// outermost function of the same package that is not in the stack of the call of Engine.Frame,
// which the parameter frame has.
func (s *stackSeen) entry(frame []string) {
	frame = slices.DeleteFunc(slices.Clone(frame), standard)
	calls := slices.DeleteFunc(slices.Clone(s.all), standard)
	caller := slices.IndexFunc(frame, func(c string) bool { return !ours(c) })
	if s.By == "" || caller < 0 {
		return
	}
	n := 0
	for n < min(len(frame), len(calls)) && frame[len(frame)-1-n] == calls[len(calls)-1-n] {
		n++
	}
	for i := len(calls) - n - 1; i > 0; i-- {
		if owner := packageOf(frame[caller]); packageOf(calls[i]) == owner {
			s.By = short(calls[i])
			return
		}
	}
}

// packageOf returns the path of the package of a function.
func packageOf(function string) string {
	slash := strings.LastIndexByte(strings.SplitN(function, "[", 2)[0], '/')
	name, _, _ := strings.Cut(function[slash+1:], ".")
	return function[:slash+1] + name
}

// ours reports whether a function belongs to the engine or to Box2D. It returns false for functions
// of package world/forces, because these are controllers.
func ours(function string) bool {
	if strings.HasPrefix(function, "github.com/ByteArena/box2d.") {
		return true
	}
	path, found := strings.CutPrefix(function, "halfstep/")
	if !found || strings.HasPrefix(path, "world/forces.") {
		return false
	}
	top := path[:strings.IndexAny(path+".", "./")]
	test := strings.Contains(path, "_test.")
	return !test && slices.Contains([]string{"buffer", "engine", "internal", "physicsloop", "renderloop", "world"}, top)
}

func (s *stackSeen) waiting() bool {
	return s.Doing != running && s.Doing != collectingGarbage && s.Doing != inC && s.Doing != inKernel
}

// standard reports whether a function belongs to Go's standard library or to package monotime. Such
// a function does not say which code waits.
func standard(function string) bool {
	top := function[:strings.IndexAny(function+".", "./")]
	return slices.Contains(standardPackages, top) || strings.HasPrefix(function, "halfstep/internal/monotime.")
}

var standardPackages = strings.Fields(`archive bufio bytes cmp compress container context crypto database embed encoding
	errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime
	slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak`)

// short returns the name of a function without the path of its package and without type
// arguments.
func short(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		if j := strings.LastIndexByte(function, ']'); j > i {
			function = function[:i] + function[j+1:]
		}
	}
	return function[strings.LastIndexByte(function, '/')+1:]
}
