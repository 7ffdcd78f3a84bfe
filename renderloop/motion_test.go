package renderloop_test

import (
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop"
	"halfstep/test/frametimes"
)

// Until the first step can be shown, the picture stands still. This does not count as
// uneven motion.
func TestAnEvenRunHasNoAnimationErrorFromItsStart(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
		for _, fps := range []int64{24, 60, 144, 1000} {
			l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: sync})
			l.Frame(0)
			for i := range fps {
				l.Frame(frametimes.Second*(i+1)/fps - frametimes.Second*i/fps)
			}
			if m := l.Motion(); m.RMS > .001 || m.P99 > .02 || m.Frames < int(fps*9/10) {
				t.Errorf("%v, %d frames a second: %+v", sync, fps, m)
			}
		}
	}
}

// At 144 frames and 60 steps a second, the newest state is the same in most pairs of
// successive frames.
func TestTheAnimationErrorIsThatOfTheStatesIfTheyAreNotBlended(t *testing.T) {
	l, _ := threaded(t, newWalkers(1), renderloop.Config{Smoothing: body2d.Newest})
	for range 200 {
		l.Frame(frametimes.Second / 144)
	}
	if m := l.Motion(); m.RMS < 5 || m.RMS > 10 {
		t.Errorf("%+v", m)
	}
}
