package pacing

// A wide window suppresses more noise. A narrow window follows a changing frame rate sooner.
// Two windows show a trend.
const wideWindow, narrowWindow, trendWindow = 16, 6, 4

// frameWindow has the newest frame times, ns, each at most stall.
type frameWindow struct {
	times   [64]int64
	head, n int   // the index of the next frame time, and the number of frame times
	wide    int64 // the result of middle(0, wideWindow), which a frame needs several times
}

func (w *frameWindow) push(ns int64) {
	w.times[w.head] = ns
	w.head = (w.head + 1) % len(w.times)
	w.n = min(w.n+1, len(w.times))
	w.wide = w.middle(0, wideWindow)
}

// at is a frame time: the newest for i = 0, otherwise the i-th before the newest.
func (w *frameWindow) at(i int) int64 {
	return w.times[(w.head-1-i+len(w.times))%len(w.times)]
}

// middle is the interquartile mean of n frame times, at most wideWindow: the newest after it
// has skipped some. With noise it is close to the mean, and a few outliers do not change it.
func (w *frameWindow) middle(skip, n int) int64 {
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

// trend extends the change between the last two windows of trendWindow frames to the second
// frame from now.
func (w *frameWindow) trend() int64 {
	newer := w.middle(0, trendWindow)
	if w.n < 2*trendWindow {
		return newer
	}
	older := w.middle(trendWindow, trendWindow)
	// The centre of the newer window is (trendWindow-1)/2 frames ago.
	ahead := newer + (newer-older)*(trendWindow+3)/(2*trendWindow)
	return min(max(ahead, newer/2), newer*2)
}

// farRun is how many of the newest frame times in a row are outliers in the same direction,
// at most lasting.
func (w *frameWindow) farRun(typical int64) int {
	long := w.at(0) > typical
	run := 0
	for run < min(lasting, w.n) && farFrom(w.at(run), typical) && w.at(run) > typical == long {
		run++
	}
	return run
}

// frameRate predicts frame times. It compares each guess with the measured time.
type frameRate struct {
	guesses [3]frameGuess // the steadiest comes first
}

// frameGuess is one way to predict. The picture that is drawn next is seen two frames later
// (see package renderloop), so a guess is compared with that frame.
type frameGuess struct {
	next, after int64 // ns, for the second frame from now and for the next one
	miss        int64 // mean error over about 32 frames, in 1/1024 ns
}

func (g *frameGuess) learn(ns, expected int64) {
	if g.after > 0 {
		off := min(magnitude(ns-g.after), g.after/2) // limits the effect of a hitch
		g.miss += (off*1024 - g.miss) / 32
	}
	g.next, g.after = expected, g.next
}

func (r *frameRate) learn(ns int64, w *frameWindow) {
	r.guesses[0].learn(ns, w.wide)
	r.guesses[1].learn(ns, w.middle(0, narrowWindow))
	r.guesses[2].learn(ns, w.trend())
}

// expected is the steadiest guess, unless another guess was better by an eighth. A frame
// corrects 1/pull of the residue. pull is greater if the guess is the trend, which is less
// late and leaves less to correct.
func (r *frameRate) expected() (ns, pull int64) {
	best := 0
	for i, g := range r.guesses {
		if miss := r.guesses[best].miss; g.miss < miss-miss/8 {
			best = i
		}
	}
	return r.guesses[best].next, [...]int64{12, 12, 24}[best]
}
