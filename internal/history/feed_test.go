package history

import (
	"errors"
	"io"
	"testing"
	"time"
)

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

// If the writer did not release the past, the black box would never overwrite a snapshot
// again.
func TestAWriterThatFailsLetsGoOfThePastOfAllWhoAreToBegin(t *testing.T) {
	for _, to := range []io.Writer{failing{}, io.Discard} {
		f := NewFeed(Header{}, false)
		w := newFeedWriter(f)
		w.o.W = to
		w.entries = []Entry{{Kind: Begin, Tick: 1}, {Kind: End, Tick: 1}}
		released, in := 0, 0
		for at := range 3 {
			b := &beginning{at: at, watchers: []*Watcher{{}}, release: func() { released++ }}
			w.beginnings = append(w.beginnings, b)
			defer func() {
				if in += len(b.watchers[0].chunks); to == io.Discard && len(b.watchers[0].chunks) == 0 {
					t.Errorf("watcher %d was given nothing", at)
				}
			}()
		}
		close(w.closing)
		w.closed = true
		if err := w.write(); (err != nil) != (to == failing{}) || released != 3 {
			t.Errorf("%T: %v, and %d of 3 let go", to, err, released)
		}
	}
}

func TestPhysicsIsAskedToLetWatchersInOnlyOnceInAWhile(t *testing.T) {
	f := NewFeed(Header{}, false)
	if _, in := f.Watch(); in > 0 {
		t.Errorf("the first comes in after %v", in)
	}
	if _, in := f.Watch(); in <= 0 || in > joinEvery {
		t.Errorf("the second comes in after %v, not at most %v", in, joinEvery)
	}
	f.requestedAt = f.requestedAt.Add(-time.Hour)
	if _, in := f.Watch(); in > 0 {
		t.Errorf("the first for an hour comes in after %v", in)
	}
}
