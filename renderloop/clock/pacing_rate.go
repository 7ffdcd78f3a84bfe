package clock

// Frame times are noisy, so a wide window expects better; frame rates drift, so
// a narrow one is nearer, and two make a trend.
const wideWindow, narrowWindow, trendWindow = 16, 6, 4

// frameWindow holds the newest frame times in nanoseconds, each at most stall.
type frameWindow struct {
	times   [64]int64
	head, n int
}

func (w *frameWindow) push(ns int64) {
	w.times[w.head] = ns
	w.head = (w.head + 1) % len(w.times)
	w.n = min(w.n+1, len(w.times))
}

// at returns the frame time of i frames ago.
func (w *frameWindow) at(i int) int64 {
	return w.times[(w.head-1-i+len(w.times))%len(w.times)]
}

// middle is the interquartile mean of the newest n frame times, n ≤ wideWindow:
// near the mean where they are noisy, and out of reach of a few odd ones.
func (w *frameWindow) middle(n int) int64 { return w.middleBefore(0, n) }

// middleBefore is the same for the frames before the newest skip.
func (w *frameWindow) middleBefore(skip, n int) int64 {
	n = min(n, w.n-skip)
	var buf [wideWindow]int64
	sorted := buf[:n]
	for i := range sorted {
		v, j := w.at(skip+i), i
		for ; j > 0 && sorted[j-1] > v; j-- {
			sorted[j] = sorted[j-1]
		}
		sorted[j] = v
	}
	sum := int64(0)
	inner := sorted[n/4 : n-n/4]
	for _, v := range inner {
		sum += v
	}
	return sum / int64(len(inner))
}

// trend carries the change from the last but one trendWindow to the last on to
// the frame two on.
func (w *frameWindow) trend() int64 {
	newer := w.middle(trendWindow)
	if w.n < 2*trendWindow {
		return newer
	}
	older := w.middleBefore(trendWindow, trendWindow)
	// The newer window lies around (trendWindow-1)/2 frames ago.
	ahead := newer + (newer-older)*(trendWindow+3)/(2*trendWindow)
	return min(max(ahead, newer/2), newer*2)
}

// farRun is how many of the newest frame times are odd to the same side, at
// most lasting.
func (w *frameWindow) farRun(typical int64) int {
	long := w.at(0) > typical
	run := 0
	for run < min(lasting, w.n) && farFrom(w.at(run), typical) && w.at(run) > typical == long {
		run++
	}
	return run
}

// frameRate expects frame times. It scores its guesses against what comes.
type frameRate struct {
	guesses [3]frameGuess // the steadiest first
}

// frameGuess is one way to expect. What is shown next is seen two frames on (see
// the frame protocol), so that is the frame it is scored on.
type frameGuess struct {
	next, after int64 // ns, for the frame two on and for the one that comes next
	miss        int64 // its mean error in 1/1024 ns, over about 32 frames
}

func (g *frameGuess) learn(ns, expected int64) {
	if g.after > 0 {
		off := min(magnitude(ns-g.after), g.after/2) // a hitch is nobody's fault
		g.miss += (off*1024 - g.miss) / 32
	}
	g.next, g.after = expected, g.next
}

func (r *frameRate) learn(ns int64, w *frameWindow) {
	r.guesses[0].learn(ns, w.middle(wideWindow))
	r.guesses[1].learn(ns, w.middle(narrowWindow))
	r.guesses[2].learn(ns, w.trend())
}

// expected is what the steadiest guess says, unless another has been better by
// an eighth. pull is the part of the residue to go with it: a trend lags
// behind less, and leaves less to make good.
func (r *frameRate) expected() (ns, pull int64) {
	best := 0
	for i, g := range r.guesses {
		if miss := r.guesses[best].miss; g.miss < miss-miss/8 {
			best = i
		}
	}
	return r.guesses[best].next, [...]int64{12, 12, 24}[best]
}
