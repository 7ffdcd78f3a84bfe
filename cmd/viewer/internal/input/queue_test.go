package input

import (
	"testing"
)

func TestInputAllocatesNothing(t *testing.T) {
	q := NewQueue()
	var spare []Event
	turn := func() {
		for range 8 {
			q.Put(Event{Kind: CursorInput})
		}
		spare = q.Swap(spare)
	}
	turn()
	turn()
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTheRenderThreadDoesNotWaitForInput(t *testing.T) {
	q := NewQueue()
	q.Put(Event{Kind: QuitInput})
	q.mu.Lock()
	if got := q.Swap(nil); len(got) != 0 {
		t.Error("events without the lock")
	}
	q.mu.Unlock()
	if got := q.Swap(nil); len(got) != 1 {
		t.Error("the event was lost")
	}
}

func TestTheKeyThatQuitsDoesSoWhileNobodyTakesEvents(t *testing.T) {
	q := NewQueue()
	q.QuitKey.Store(int32(KeyQ))
	q.Put(Event{Kind: KeyInput, Key: KeyQ, Action: Press})
	<-q.Quitting
}
