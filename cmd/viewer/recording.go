package main

import (
	"cmp"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/internal/words"
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

// recorder records the open scene to a file, and keeps its last seconds in the black box.
type recorder struct {
	stage   *stage
	host    host
	travel  *travel
	beside  *beside
	files   *background
	recents *recents

	recording *recording        // the newest, or nil
	recordErr error             // the first error of an earlier recording
	attended  bool              // a person looks at a panel with a time bar
	begun     *atomic.Bool      // the run has begun: older files may be replaced
	remember  func(path string) // puts a file into the list of those that were saved and recorded
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
func (c *recorder) record(sc *sceneEntry, to *engine.Config) (err error) {
	if c.stage.o.Record == "" || c.recording != nil {
		return nil
	}
	if c.recording, err = newRecording(c.stage.o.Record, c.begun); err != nil {
		return err
	}
	to.History.Record = c.recording.options(sc, c.recordFailed)
	to.History.Record.From, to.History.Record.FromSetup = c.stage.o.RecordFrom, true // a viewer that replays it can set up the scene
	return nil
}

// toggleRecording begins a recording of the scene from here on, or ends the one
// under way.
func (c *recorder) toggleRecording() {
	if c.stage.shown.what == showsPast {
		c.host.say("the past is not recorded; leave it first (End)")
		return
	}
	if c.stage.player.engine == nil {
		c.host.say("only the engine's own loop can record")
		return
	}
	if c.stage.player.recording() {
		if err := c.stage.player.engine.History().StopRecording(); err != nil {
			c.host.say(err.Error())
			return
		}
		c.host.say("wrote " + c.recording.path + "; the list of scenes begins with it")
		c.recents.add(c.recording.path)
		return
	}
	if r := c.recording; r != nil {
		if !r.closed && !r.over.Load() {
			c.host.say("the last recording is still being written")
			return
		}
		r.close(nil) // the engine goes on without an error
		c.recordErr = cmp.Or(c.recordErr, r.err)
	}
	path, err := outfile.Free("halfstep-%03d.rec", "recordings")
	if err == nil {
		err = c.recordTo(path)
	}
	if err != nil {
		c.host.say(err.Error())
		return
	}
	c.host.say("recording to " + path)
}

// recordTo begins a recording of the running engine.
func (c *recorder) recordTo(path string) error {
	r, err := newRecording(path, c.begun)
	if err != nil {
		return err
	}
	if err := c.stage.player.engine.History().StartRecording(*r.options(&c.stage.scenes[c.stage.current], c.recordFailed)); err != nil {
		r.file.Close()
		os.Remove(path)
		return err
	}
	c.recording, r.byKey = r, true
	return nil
}

// recordFailed reports at once that the recording has ended. The run reports it
// again when it ends. Any goroutine.
func (c *recorder) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	words.Complain(c.stage.stderr, err)
	c.host.later(func() error { c.host.warn(err.Error()); return nil })
}
