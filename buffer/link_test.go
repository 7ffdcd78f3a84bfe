package buffer

import (
	"errors"
	"testing"
	"testing/synctest"
)

func TestAwaitIsReleasedByProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLink[body, int, int]()
		done := make(chan bool)
		go func() { done <- l.Await(3, 2) }()
		synctest.Wait()
		l.Advance(3, 1)
		synctest.Wait()
		select {
		case <-done:
			t.Fatal("released before the frame was done")
		default:
		}
		l.Advance(3, 2)
		if !<-done {
			t.Error("Await says physics stopped")
		}
	})
}

func TestAwaitIsReleasedByAPanicAndByQuitting(t *testing.T) {
	for _, f := range []*Failure{nil, {Value: errors.New("boom")}} {
		synctest.Test(t, func(t *testing.T) {
			l := NewLink[body, int, int]()
			done := make(chan bool)
			go func() { done <- l.Await(1, 1) }()
			synctest.Wait()
			l.Stop(f)
			if <-done {
				t.Error("Await says the tick was done")
			}
			if l.Failure() != f || !l.Stopped() {
				t.Error("the reason is lost")
			}
		})
	}
}

func TestWorkDoneBeforeStoppingCounts(t *testing.T) {
	l := NewLink[body, int, int]()
	l.Advance(1, 1)
	l.Stop(nil)
	if !l.Await(1, 1) {
		t.Error("the last tick is denied")
	}
}

func TestARingBeforeTheWaitIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewDemand()
		d.Post(Frame{Demand: 1})
		d.Post(Frame{Demand: 2})
		d.Wait() // this would block for ever, and synctest would report that
		for want := uint64(1); want <= 2; want++ {
			f, quit := d.Next()
			if f == nil || f.Demand != want || quit {
				t.Fatalf("Next = %v, %v", f, quit)
			}
			d.FinishFrame()
		}
		if f, _ := d.Next(); f != nil {
			t.Error("a frame came twice")
		}
	})
}

func TestQuitDoesNotHideWhatWasPostedBefore(t *testing.T) {
	d := NewDemand()
	d.Post(Frame{Demand: 1})
	d.Quit()
	f, quit := d.Next()
	if f == nil || !quit {
		t.Errorf("Next = %v, %v", f, quit)
	}
}
