package pacing

// gridFit is a straight line through the starts of frames: how late each start is,
// against the number of the interval.
type gridFit struct {
	known bool // the interval is known, so the slope of the line is 0

	slope    int64 // ns per interval
	variance int64 // the variance of the starts about the line, ns²
	last     int64 // how late the newest start is, ns
}

// over fits a grid of about the given interval to the newest n frame times. It
// returns false if they are not on a grid.
//
// The variance tells a grid from a frame rate without a limit. On a grid, each
// start is early or late independently of the others, so the frame times, which
// are differences of starts, have twice the variance of the starts. Without a
// grid, each start depends on the one before, so the starts move farther and
// farther away from any grid.
func (f *gridFit) over(w *frameWindow, n int, interval int64) bool {
	var late, at [len(w.times)]int64
	var sumLate, sumAt, total, count, skipped int64
	for i := range n {
		ns := w.at(n - 1 - i)
		k := intervalsIn(ns, interval)
		if k > 1 {
			skipped++
		}
		if k < 1 || skipped > 2 {
			return false
		}
		count += k
		total += ns - k*interval
		if magnitude(total) > 4*interval {
			return false
		}
		late[i], at[i] = total, count
		sumLate += total
		sumAt += count
	}
	m := int64(n)
	var sxx, sxy int64
	if !f.known {
		for i := range n {
			x := m*at[i] - sumAt
			sxx += x * x
			sxy += x * (m*late[i] - sumLate) / m
		}
		f.slope = sxy * m / sxx
	}
	var squares, differences int64
	for i := range n {
		off := late[i] - sumLate/m
		if !f.known {
			off -= sxy * (m*at[i] - sumAt) / sxx
		}
		if magnitude(off) > interval*3/8 {
			return false
		}
		squares += off * off
		if i > 0 {
			differences += (off - f.last) * (off - f.last)
		}
		f.last = off
	}
	f.variance = squares / m
	exact := f.variance < (interval/1000)*(interval/1000)
	return exact || squares*4 <= differences*3
}

func squareRoot(v int64) int64 {
	if v <= 0 {
		return 0
	}
	// Newton's method from above.
	x := v
	for y := x/2 + 1; y < x; y = (x + v/x) / 2 {
		x = y
	}
	return x
}
