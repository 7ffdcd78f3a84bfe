package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// lastShown is the final picture of an engine: the positions of bodies, by handle, and the
// number of joints.
type lastShown struct {
	tick   uint64
	poses  map[uint64][2]float32
	joints int
}

// lastPicture makes an engine show its last tick, and returns the picture.
func lastPicture(e *engine.Engine) lastShown {
	e.SetPaused(false)
	e.SetSync(renderloop.Lockstep)
	e.Step(1)
	e.Step(1)
	return pictureOf(e)
}

func pictureOf(e *engine.Engine) lastShown {
	v := e.View()
	l := lastShown{v.Tick, map[uint64][2]float32{}, len(v.Scene.Joints)}
	for i := range v.Scene.Bodies {
		if b := &v.Scene.Bodies[i]; b.Exists {
			l.poses[b.Handle] = [2]float32{v.Cur[i].X, v.Cur[i].Y}
		}
	}
	return l
}

// shownBy returns an error unless the states of a recording end with the same picture.
func (l lastShown) shownBy(data []byte) error {
	r, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	e, err := engine.New(r.Config(nil))
	if err != nil {
		return err
	}
	defer e.Close()
	e.SetSync(renderloop.Lockstep)
	for e.View().Tick < r.Ticks && e.Failure() == nil {
		e.Step(1)
	}
	e.Inspect(func(*world.World) {}) // commands after the last step come first
	e.Advance(0)
	e.Advance(0)
	got := pictureOf(e)
	if e.Failure() != nil || r.Cut || got.tick != l.tick || got.joints != l.joints || !maps.Equal(got.poses, l.poses) {
		maps.DeleteFunc(got.poses, func(b uint64, at [2]float32) bool { return l.poses[b] == at })
		return fmt.Errorf("cut %v, %v: it ends with tick %d and %d joints, not with %d and %d, and bodies elsewhere at %v", r.Cut, e.Failure(), got.tick, got.joints, l.tick, l.joints, got.poses)
	}
	return nil
}

// The recording begins in the middle of the run. Rates change, snapshots are restored, and
// bodies and joints are created, changed and destroyed.
func TestTheStatesOfARecordingEndWithWhatIsShown(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: time.Second}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for round := range 3 {
		e.Step(10)
		s := newSink()
		o := s.options()
		if o.States = true; round == 1 {
			o.From = e.Demanded() + 5
		}
		if err := e.History().StartRecording(o); err != nil {
			t.Fatal(err)
		}
		var late []world.Body
		for i := range 60 {
			switch i % 12 {
			case 1:
				late = append(late, e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i), Y: 30}, Shapes: []world.ShapeDef{world.Circle(1)}}))
			case 3:
				e.SetKind(late[len(late)-1], []world.BodyKind{world.Static, world.Kinematic, world.Dynamic}[round])
			case 5:
				if b, ok := e.Find("box 2"); ok {
					e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: b, B: late[len(late)-1], Length: 3})
				}
			case 6:
				if err := e.SetRate(clock.Hz([]int64{30, 60, 120}[i/12%3])); err != nil {
					t.Fatal(err)
				}
			case 7:
				e.Commands.KeepSnapshot(1)
			case 9:
				e.DestroyBody(late[0])
				late = late[1:]
				e.SetPaused(i%2 == 0)
			case 10:
				if e.SetPaused(false); i > 30 {
					e.Commands.RestoreSnapshot(1)
				}
			}
			e.Advance(time.Second / 45)
		}
		last := lastPicture(e)
		if err := e.History().StopRecording(); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		if err := <-s.over; err != nil {
			t.Fatal(err)
		}
		if err := last.shownBy(s.Bytes()); err != nil {
			t.Errorf("round %d: the recording: %v", round, err)
		}
		data, err := e.History().BlackBox()
		if err == nil {
			err = last.shownBy(data)
		}
		if err != nil {
			t.Errorf("round %d: the black box: %v", round, err)
		}
	}
}

// The recording begins and ends in the same frame, so that no state is published in
// between.
func TestARecordingWithoutATickHasTheStatesOfItsPicture(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.RunAhead} {
		e := start(t, engine.Config{Setup: stack, Time: engine.Time{Simulated: true, Sync: sync}})
		e.Step(10)
		e.Teleport(e.CreateBody(ball(3, 30)), world.Vec{X: 5, Y: 30}, 1)
		last := lastPicture(e)
		s := newSink()
		o := s.options()
		o.States = true
		if err := errors.Join(e.History().StartRecording(o), e.History().StopRecording()); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		if err := <-s.over; err != nil {
			t.Fatal(err)
		}
		if err := last.shownBy(s.Bytes()); err != nil {
			t.Errorf("%v: %v", sync, err)
		}
	}
}
