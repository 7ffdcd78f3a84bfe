package engine_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// blocked is a writer that returns when it is released.
type blocked chan struct{}

func (b blocked) Write(p []byte) (int, error) {
	<-b
	return len(p), nil
}

func TestCloseWithinDoesNotBlamePhysicsForASlowWriter(t *testing.T) {
	w := make(blocked)
	first := make(chan struct{}, 1)
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{
		W: writerFunc(func(p []byte) (int, error) {
			select {
			case first <- struct{}{}: // New writes the header
				return len(p), nil
			default:
				return w.Write(p)
			}
		}),
		CloseTimeout: 3 * time.Second, OnError: func(error) {},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		close(w)
		<-e.Written()
	}()
	for range 10 {
		e.Advance(time.Second / 60)
	}
	if err := e.CloseWithin(time.Second); err == nil || errors.Is(err, engine.ErrStuck) || e.Failure() != nil {
		t.Errorf("%v; failure %v", err, e.Failure())
	}
}

func TestAClosureThatIsDroppedDoesNotEndTheRecording(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{
		W: &file, OnError: func(err error) { t.Error(err) },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	e.Advance(time.Second / 10)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e.Do(func(*world.World) {})
	e.Remote().Do(func(*world.World) {})
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
