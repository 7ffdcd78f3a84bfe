// Package simdisplay simulates a display and its compositor: when a frame that was
// presented is seen, and which reports the program gets. It is for tests and for
// cmd/smoothness.
package simdisplay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"halfstep/renderloop/present"
)

// Display is a display with its compositor. The zero Display shows every frame when
// it is presented, and reports nothing.
type Display struct {
	// Hz is the number of refreshes per second. With Adaptive, it is the highest rate: a
	// frame is shown when it is presented, but no sooner than this rate allows. With 0
	// every frame is shown at once (tearing).
	Hz       float64
	Adaptive bool
	// Deadline is a time before each refresh. At the deadline the compositor chooses the
	// newest frame for the refresh.
	Deadline time.Duration
	// Queue makes the display show every frame, in order, for at least one refresh.
	// Without Queue it shows only the newest frame before the deadline.
	Queue bool
	// Feedback is the kind of reports that the program gets.
	Feedback Feedback
	// Late is the time from a refresh to the report about it.
	Late time.Duration
}

// Feedback is the kind of reports that a display sends about frames.
type Feedback string

// The kinds of feedback. All except None, True and Half are false.
const (
	None     Feedback = "none"
	True     Feedback = "true"
	Half     Feedback = "half"     // true, but nothing about every other frame
	Swapped  Feedback = "swapped"  // each frame is reported as seen when it is presented
	Random   Feedback = "random"   // a wrong time, at random: see distort
	Slower   Feedback = "slower"   // the reported times are wrong by up to half a refresh
	Never    Feedback = "never"    // each frame is reported as never seen
	Mistaken Feedback = "mistaken" // another frame is reported for each refresh
	Ahead    Feedback = "ahead"    // the reported times are those of the next second
	Stuck    Feedback = "stuck"    // always the same time
)

// Feedbacks are all kinds of feedback, the true ones first.
var Feedbacks = []Feedback{None, True, Half, Swapped, Random, Slower, Never, Mistaken, Ahead, Stuck}

// Lies reports whether the feedback is false.
func (f Feedback) Lies() bool { return f != None && f != True && f != Half && f != "" }

// Parse reads a display such as "60", "144,deadline=4ms,late=50ms", "48-144"
// (adaptive sync) or "60,queue". Feedback is True unless the text has another kind.
func Parse(s string) (d Display, err error) {
	d.Feedback = True
	rate, rest, _ := strings.Cut(s, ",")
	slowest, high, adaptive := strings.Cut(rate, "-")
	low, err := parseHz(slowest)
	if err != nil {
		return d, err
	}
	if d.Hz = low; adaptive {
		d.Adaptive = true
		if d.Hz, err = parseHz(high); err != nil {
			return d, err
		}
		if low >= d.Hz {
			return d, fmt.Errorf("%q is not a range of refresh rates, from the lower to the higher", rate)
		}
	}
	for rest != "" {
		var option string
		option, rest, _ = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "queue":
			d.Queue = true
		case "deadline":
			d.Deadline, err = parseTime(value)
		case "late":
			d.Late, err = parseTime(value)
		case "feedback":
			d.Feedback, err = parseFeedback(value)
		default:
			err = fmt.Errorf("%q is not one of queue, deadline=, late=, feedback=", option)
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

func parseHz(s string) (float64, error) {
	hz, err := strconv.ParseFloat(s, 64)
	if err != nil || !(hz >= 10 && hz <= 1000) {
		return 0, fmt.Errorf("%q is not a refresh rate from 10 to 1000 Hz", s)
	}
	return hz, nil
}

func parseTime(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > 10*time.Second {
		return 0, fmt.Errorf("%q is not a time from 0 to 10s", s)
	}
	return d, nil
}

func parseFeedback(s string) (Feedback, error) {
	var names []string
	for _, f := range Feedbacks {
		if string(f) == s {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", fmt.Errorf("feedback %q is not one of %s", s, strings.Join(names, ", "))
}

// Show returns the times at which frames are seen that are presented at the given
// times, both in nanoseconds. A frame that is never seen has NaN. The times must not
// decrease.
func (d *Display) Show(presents []float64) (seen []float64) {
	seen = make([]float64, len(presents))
	last := math.Inf(-1)
	period := 1e9 / d.Hz
	for i, p := range presents {
		switch {
		case d.Hz <= 0:
			seen[i] = p
		case d.Adaptive:
			seen[i] = max(p, last+period)
			if i+1 < len(presents) && presents[i+1] < seen[i] {
				seen[i] = math.NaN() // the next frame replaced this one before the display was ready
				continue
			}
		default:
			k := math.Ceil((p + float64(d.Deadline)) / period)
			if d.Queue {
				k = max(k, math.Round(last/period)+1)
			}
			seen[i] = k * period
			if !d.Queue && i > 0 && seen[i-1] == seen[i] {
				seen[i-1] = math.NaN() // replaced before the deadline
			}
		}
		last = seen[i]
	}
	if n := len(seen); n > 0 && d.Hz > 0 && !d.Adaptive && !d.Queue {
		seen[n-1] = math.NaN() // another frame would have come before the deadline
	}
	return seen
}

// Told is a report, and the time at which the program receives it, ns.
type Told struct {
	At float64
	present.Report
}

// Tell returns the reports about frames that are presented and seen at the given
// times, in the order in which the program receives them. The frames are numbered
// from 1.
func (d *Display) Tell(presents, seen []float64, seed uint64) []Told {
	if d.Feedback == None || d.Feedback == "" {
		return nil
	}
	r := rand.New(rand.NewPCG(seed, 5))
	period := 0.
	if d.Hz > 0 && !d.Adaptive {
		period = 1e9 / d.Hz
	}
	said := seen
	switch d.Feedback {
	case Slower:
		period /= .9
		other := Display{Hz: .9 * d.Hz, Deadline: d.Deadline, Queue: d.Queue}
		said = other.Show(presents)
	case Mistaken:
		said = mistaken(seen, r)
	}
	var all []Told
	at := math.Inf(-1)
	for i, s := range said {
		if d.Feedback == Half && i%2 == 1 {
			continue
		}
		report := present.Report{Frame: uint64(i + 1), Refresh: int64(math.Round(period)), Quality: present.VerticalBlank}
		when := s
		if math.IsNaN(s) {
			when = presents[min(i+1, len(presents)-1)]
		}
		at = max(at, when+float64(d.Late)+5e5, presents[i])
		switch {
		case d.Feedback == Never, math.IsNaN(s):
			report.Seen = present.NeverSeen
		default:
			report.Seen = int64(math.Round(d.distort(s, presents[i], period, r)))
		}
		all = append(all, Told{at, report})
	}
	return all
}

// distort returns the reported time of a frame that was seen.
func (d *Display) distort(seen, presented, period float64, r *rand.Rand) float64 {
	switch d.Feedback {
	case Swapped:
		return presented
	case Random:
		return seen + max(period, 5e6)*(r.Float64()-.5)
	case Ahead:
		return seen + 1e9
	case Stuck:
		return 1e9
	}
	return seen
}

// mistaken exchanges the times of frames that were seen with those of other frames that could
// have been shown at the same refresh.
func mistaken(seen []float64, r *rand.Rand) []float64 {
	said := make([]float64, len(seen))
	from := 0
	for i, s := range seen {
		said[i] = math.NaN()
		if !math.IsNaN(s) {
			said[from+r.IntN(i-from+1)] = s
			from = i + 1
		}
	}
	return said
}
