package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

const dt = 1. / 60

var frame = buffer.Frame{Remainder: buffer.Remainder{Step: 1e9}}

// driven is a Log or RollbackLog that a test drives in place of the loop.
type driven struct {
	*Predictor
	*Log
	back   *RollbackLog // may be nil
	unread buffer.Outbox[world.Event]
	states []body2d.State
}

func drive(t testing.TB, c world.Config, o Options, back RollbackOptions, setup func(*world.World) error) *driven {
	t.Helper()
	w := world.NewSimulation(c)
	t.Cleanup(w.Close)
	if err := setup(w.World()); err != nil {
		t.Fatal(err)
	}
	o.Rate = clock.Hz(60)
	l, err := New(w, o)
	d := &driven{Log: l, unread: buffer.Outbox[world.Event]{
		Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event](),
	}}
	if d.Predictor = Predict(l, l); err == nil && back.Ticks > 0 {
		d.back, err = WithRollback(l, back)
		d.Predictor = Predict(l, d.back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// begin begins the run.
func (d *driven) begin() {
	d.Predictor.Start(&d.unread)
	d.show()
}

// step makes the calls of a frame that has one step.
func (d *driven) step(commands ...world.Command) {
	d.Predictor.ObserveFrame(&frame)
	d.Predictor.BeginFrame()
	for i := range commands {
		d.Predictor.Apply(d.Tick(), &commands[i], true)
	}
	d.Predictor.Step(d.Tick()+1, dt)
	d.Predictor.EndFrame()
	d.show()
}

// show captures the states, and takes what the render side would take.
func (d *driven) show() {
	d.states = d.Predictor.Capture(d.states)
	d.unread.Structure.DropOldest(d.unread.Structure.Count(), 0)
	d.unread.Events.DropOldest(d.unread.Events.Count(), 0)
}

func nothing(*world.World) error { return nil }

// small returns a recording of three ticks.
func small(t testing.TB) *File {
	t.Helper()
	var data bytes.Buffer
	w, err := NewWriter(WriterOptions{W: &data, FromSetup: true})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, world.Config{}, Options{}, RollbackOptions{}, nothing)
	if err := d.Record(w); err != nil {
		t.Fatal(err)
	}
	d.begin()
	var commands commandList
	private.NewCommands(&commands, d.Simulation).CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
	d.step(commands...)
	d.step()
	d.step()
	d.EndRecording(w, true)
	<-w.Done()
	f, err := read(&data)
	if err = errors.Join(w.Err(), err); err != nil {
		t.Fatal(err)
	}
	return f
}

// read calls Read with the limits for a file from an unknown source.
func read(from io.Reader) (*File, error) { return Read(from, world.DefaultMaxContacts, false) }

// bytes returns the bytes of a file with correct checksums, whatever the content is.
func (f *File) bytes(t testing.TB) []byte {
	t.Helper()
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var errDiffers = errors.New("it differs")

// verify replays the whole recording. It returns a panic as an error.
func (f *File) verify(setup func(*world.World) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	w := world.NewSimulation(f.Header.World)
	defer w.Close()
	if err := setup(w.World()); err != nil {
		return err
	}
	p, err := play(w, ReplayOptions{File: f, Memory: -1, Differs: func(Difference) error { return errDiffers }})
	if err != nil {
		return err
	}
	if err = p.GoTo(f.Ticks); err == nil {
		err = p.Finish()
	}
	return err
}

// play returns a Player for a recording, without a render side.
func play(w *world.Simulation, o ReplayOptions) (*Player, error) {
	l, err := New(w, Options{})
	if err != nil {
		return nil, err
	}
	p, err := Play(l, o)
	if err == nil {
		p.Start(nil)
	}
	return p, err
}

func limit(t testing.TB, bytes int64) {
	old := MaxFile
	MaxFile = bytes
	t.Cleanup(func() { MaxFile = old })
}

// commandList keeps the commands that are sent to it.
type commandList []world.Command

func (s *commandList) Send(_ uint64, c world.Command) { *s = append(*s, c) }
func (s *commandList) Room() int                      { return 1 }
