package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine/fault"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// A value above these limits is a mistake.
const (
	maxCount  = 1_000_000_000_000 // frames, ticks
	maxTime   = 365 * 24 * time.Hour
	maxListed = 1000 // names to log, faults to inject
)

// The functions below make parsers for flag.Func. The flag package prefixes
// their errors with the value and the name of the flag.

// The rates that a clock can run at, Hz.
const leastHz, mostHz = .001, 1_000_000

func parsePositive(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		return 0, errors.New("not a number")
	case x <= 0:
		return 0, errors.New("must be above 0")
	}
	return x, nil
}

func parseHz(s string) (clock.Rate, error) {
	x, err := parsePositive(s)
	if err != nil {
		return clock.Rate{}, err
	}
	if x < leastHz || x > mostHz {
		return clock.Rate{}, fmt.Errorf("must be from %v to %v", leastHz, mostHz)
	}
	return clock.RateOf(x)
}

func rateValue(to *clock.Rate) func(string) error {
	return func(s string) (err error) {
		*to, err = parseHz(s)
		return err
	}
}

func scaleValue(to *float64) func(string) error {
	return func(s string) error {
		x, err := parsePositive(s)
		if err != nil {
			return err
		}
		switch {
		case x > 1000:
			return errors.New("must be at most 1000")
		case x < 1e-6:
			return errors.New("must be at least 0.000001")
		}
		r, err := clock.RateOf(x)
		if err != nil {
			return err
		}
		*to = r.Float()
		return nil
	}
}

func intValue(to *int, low, high int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil {
			return errors.New("not a whole number")
		}
		if n < low || n > high {
			return fmt.Errorf("must be from %d to %d", low, high)
		}
		*to = n
		return nil
	}
}

func countValue(to *uint64) func(string) error {
	return func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil || n == 0 || n > maxCount {
			return fmt.Errorf("must be a whole number from 1 to %d", uint64(maxCount))
		}
		*to = n
		return nil
	}
}

func tickValue(to **uint64) func(string) error {
	return func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil || n > maxCount {
			return fmt.Errorf("must be a whole number from 0 to %d", uint64(maxCount))
		}
		*to = &n
		return nil
	}
}

func durationValue(to *time.Duration) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil {
			return errors.New("not a time such as 10s or 1m30s")
		}
		if d <= 0 {
			return errors.New("must be above 0")
		}
		if d > maxTime {
			return fmt.Errorf("must be at most %v", maxTime)
		}
		*to = d
		return nil
	}
}

func choiceValue(to *string, choices ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(choices, s) {
			return fmt.Errorf("must be %s", strings.Join(choices, " or "))
		}
		*to = s
		return nil
	}
}

// smoothings lists the modes in the order in which key M goes through them.
var smoothings = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

func smoothingValue(to *body2d.Smoothing) func(string) error {
	return namedValue(to, body2d.Newest, body2d.Interpolate, body2d.Extrapolate, body2d.Hermite)
}

// syncs are the sync modes, in the order in which they are offered.
var syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.Auto, renderloop.RunAhead}

func syncValue(to *renderloop.Sync) func(string) error { return namedValue(to, syncs...) }

// namedValue parses the name of one of the values, of which there are two or more.
func namedValue[T fmt.Stringer](to *T, values ...T) func(string) error {
	return func(s string) error {
		names := namesOf(values)
		if i := slices.Index(names, s); i >= 0 {
			*to = values[i]
			return nil
		}
		last := len(names) - 1
		return errors.New("must be " + strings.Join(names[:last], ", ") + " or " + names[last])
	}
}

func namesOf[T fmt.Stringer](values []T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

func stepperValue(to *string) func(string) error {
	return func(s string) error {
		if _, err := world.ParseStepper(s); err != nil {
			return err
		}
		*to = s
		return nil
	}
}

func sizeValue(w, h *int) func(string) error {
	return func(s string) error {
		a, b, ok := strings.Cut(s, "x")
		if !ok || intValue(w, 16, 16384)(a) != nil || intValue(h, 16, 16384)(b) != nil {
			return errors.New("must be like 1280x720, each number from 16 to 16384")
		}
		return nil
	}
}

// pictureValue parses the name of a picture in the format that ends in ending. Another
// ending is a mistake, such as the name of another file; a device may have any name.
func pictureValue(to *string, ending string) func(string) error {
	return func(s string) error {
		if !strings.EqualFold(filepath.Ext(s), ending) && !isDevice(s) {
			return errors.New("must end in " + ending)
		}
		*to = s
		return nil
	}
}

func addrValue(to *string) func(string) error {
	return func(s string) error {
		host, port, err := net.SplitHostPort(s)
		if err != nil || port == "" {
			return errors.New("must be host:port or :port")
		}
		if host == "" {
			host = "localhost"
		}
		*to = net.JoinHostPort(host, port)
		return nil
	}
}

// clockSpec is the value of -clock. The zero value is the wall clock.
type clockSpec struct {
	fixed clock.Rate // frames per second
	trace string     // a file
}

func (c *clockSpec) parse(s string) error {
	kind, value, _ := strings.Cut(s, ":")
	switch {
	case s == "wall":
		*c = clockSpec{}
		return nil
	case kind == "fixed":
		r, err := parseHz(value)
		*c = clockSpec{fixed: r}
		return err
	case kind == "trace" && value != "":
		*c = clockSpec{trace: value}
		return nil
	}
	return errors.New("must be wall, fixed:HZ or trace:FILE")
}

// source returns the source of frame times. It reads those of a process from the trace
// file, and says what is notable about that.
func (c *clockSpec) source(process string) (s frametime.Source, note string, err error) {
	switch {
	case c.trace != "":
		t, err := frametime.ReadTraceFile(c.trace, process)
		if err != nil {
			return nil, "", err
		}
		if note = t.Note; note != "" {
			note = c.trace + ": " + note
		}
		if len(t.Streams) > 1 {
			note += "; -process chooses another"
		}
		return frametime.NewTraceSource(t), note, nil
	case c.fixed != clock.Rate{}:
		s, err = frametime.NewFixedSource(c.fixed)
		return s, "", err
	}
	return frametime.NewWallSource(), "", nil
}

func injectValue(to *[]fault.Fault) func(string) error {
	return func(s string) error {
		i, err := fault.Parse(s)
		if err == nil && len(*to) == maxListed {
			err = fmt.Errorf("more than %d faults", maxListed)
		}
		if err == nil {
			*to = append(*to, i)
		}
		return err
	}
}

func cameraValue(to **scene.Camera) func(string) error {
	return func(s string) error {
		wrong := errors.New("must be X,Y,HEIGHT in metres, such as 0,5,20")
		parts := strings.Split(s, ",")
		if len(parts) != 3 {
			return wrong
		}
		var n [3]float64
		for i, p := range parts {
			x, err := strconv.ParseFloat(p, 64)
			if err != nil || math.IsNaN(x) || math.Abs(x) > 1e9 {
				return wrong
			}
			n[i] = x
		}
		if n[2] <= 0 {
			return wrong
		}
		*to = &scene.Camera{X: n[0], Y: n[1], Height: n[2]}
		return nil
	}
}
