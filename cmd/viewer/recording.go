package main

import (
	"cmp"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/outfile"
	"halfstep/engine"
)

// recording is a file to which the engine records the scene: that of -record, for the
// first scene, or one that the user has begun with a key. It ends when the user leaves
// the scene or presses the key again.
type recording struct {
	file   *outfile.Stream
	path   string
	ended  chan struct{} // closed when the engine writes no more
	over   atomic.Bool   // ended is closed
	err    error         // why the recording is not complete
	closed bool          // the file is closed
	byKey  bool          // begun by a key, not by -record
}

// newRecording creates the file of a run. begun says whether the run has begun.
func newRecording(path string, begun *atomic.Bool) (*recording, error) {
	f, err := outfile.Create(path, begun)
	if err != nil {
		return nil, err
	}
	return &recording{file: f, path: path, ended: make(chan struct{})}, nil
}

// options returns the options of an engine that records the scene to the file.
func (r *recording) options(sc *sceneEntry, failed func(error)) *engine.RecordOptions {
	return &engine.RecordOptions{
		W: r.file, Scene: sc.Name, Data: sc.data,
		OnError: failed,
		OnEnd: func(error) {
			r.over.Store(true)
			close(r.ended)
		},
	}
}

// close closes the file. err is the error with which the engine was closed.
func (r *recording) close(err error) {
	if r == nil || r.closed {
		return
	}
	select {
	case <-r.ended:
	case <-time.After(time.Second): // the engine has abandoned the file
	}
	r.closed = true
	r.err = cmp.Or(err, r.file.Close())
	if info, gone := os.Stat(r.path); r.byKey && gone == nil && info.Size() == 0 { // the scene was left before the next frame
		r.err = os.Remove(r.path)
	}
}

// record makes the engine with that configuration record the scene.
func (s *session) record(sc *sceneEntry, c *engine.Config) (err error) {
	if s.o.Record == "" || s.recording != nil {
		return nil
	}
	if s.recording, err = newRecording(s.o.Record, &s.queue.begun); err != nil {
		return err
	}
	c.History.Record = s.recording.options(sc, s.recordFailed)
	c.History.Record.From, c.History.Record.FromSetup = s.o.RecordFrom, true // a viewer that replays it can set up the scene
	return nil
}

// toggleRecording begins a recording of the scene from here on, or ends the one
// under way.
func (s *session) toggleRecording() {
	if s.past != nil {
		s.say("the past is not recorded; leave it first (End)")
		return
	}
	if s.player.engine == nil {
		s.say("only the engine's own loop can record")
		return
	}
	if s.player.recording() {
		if err := s.player.engine.History().StopRecording(); err != nil {
			s.say(err.Error())
			return
		}
		s.say("wrote " + s.recording.path + "; the list of scenes begins with it")
		s.remembered(s.recording.path)
		return
	}
	if r := s.recording; r != nil {
		if !r.closed && !r.over.Load() {
			s.say("the last recording is still being written")
			return
		}
		r.close(nil) // the engine goes on without an error
		s.recordErr = cmp.Or(s.recordErr, r.err)
	}
	path, err := outfile.Free("halfstep-%03d.rec", "recordings")
	if err == nil {
		err = s.recordTo(path)
	}
	if err != nil {
		s.say(err.Error())
		return
	}
	s.say("recording to " + path)
}

// recordTo begins a recording of the running engine.
func (s *session) recordTo(path string) error {
	r, err := newRecording(path, &s.queue.begun)
	if err != nil {
		return err
	}
	if err := s.player.engine.History().StartRecording(*r.options(&s.scenes[s.current], s.recordFailed)); err != nil {
		r.file.Close()
		os.Remove(path)
		return err
	}
	s.recording, r.byKey = r, true
	return nil
}

// recordFailed reports at once that the recording has ended. The run reports it
// again when it ends. Any goroutine.
func (s *session) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	complain(s.stderr, err)
	s.queue.put(inputEvent{kind: messageInput, text: err.Error()})
}
