package play

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

// Recording is a file to which the engine records the scene: the file of -record, for the first
// scene, or one that a key has begun. It ends when the user leaves the scene or presses the key
// again.
type Recording struct {
	file   *outfile.Stream
	path   string
	Ended  chan struct{} // closed when the engine writes no more
	over   atomic.Bool   // Ended is closed
	Err    error         // why the recording is not complete
	closed bool          // the file is closed
	byKey  bool          // begun by a key, not by -record
}

// Recorder records the open scene to a file, and keeps its last seconds in the black box.
type Recorder struct {
	stage    *Stage
	host     Host
	comparer *Comparer
	files    *Background
	recents  *Recents

	Recording  *Recording   // the newest, or nil
	RecordErr  error        // the first error of an earlier recording
	PanelShown bool         // the picture has a panel with the time bar
	begun      *atomic.Bool // the first scene has opened, so older files may be replaced; see newRecording
}

// newRecording creates the file of a recording. An older file is replaced only once begun is true, so that
// a run that fails at its start destroys no file.
func newRecording(path string, begun *atomic.Bool) (*Recording, error) {
	f, err := outfile.Create(path, begun)
	if err != nil {
		return nil, err
	}
	return &Recording{file: f, path: path, Ended: make(chan struct{})}, nil
}

// options returns the options of an engine that records the scene to the file. failed is called if the file
// can no longer be written.
func (r *Recording) options(sc *SceneEntry, failed func(error)) *engine.RecordOptions {
	return &engine.RecordOptions{
		W: r.file, Scene: sc.Name, Data: sc.data,
		OnError: failed,
		OnEnd: func(error) {
			r.over.Store(true)
			close(r.Ended)
		},
	}
}

// close closes the file once the engine has written all data. err is the engine's error on closing.
func (r *Recording) close(err error) {
	if r == nil || r.closed {
		return
	}
	select {
	case <-r.Ended:
	case <-time.After(time.Second): // the engine has abandoned the file
	}
	r.closed = true
	r.Err = cmp.Or(err, r.file.Close())
	info, missing := os.Stat(r.path)
	if r.byKey && missing == nil && info.Size() == 0 { // the scene was left in the frame in which the recording began
		r.Err = os.Remove(r.path)
	}
}

// record makes the engine with that configuration record the scene to the file of -record, if the flag is
// set and this is the first scene.
func (c *Recorder) record(sc *SceneEntry, to *engine.Config) (err error) {
	if c.stage.Options.Record == "" || c.Recording != nil {
		return nil
	}
	if c.Recording, err = newRecording(c.stage.Options.Record, c.begun); err != nil {
		return err
	}
	to.History.Record = c.Recording.options(sc, c.RecordFailed)
	to.History.Record.From, to.History.Record.FromSetup = c.stage.Options.RecordFrom, true // a viewer that replays it can set up the scene
	return nil
}

// ToggleRecording begins a recording of the scene at this moment, or ends the one in progress.
func (c *Recorder) ToggleRecording() {
	if c.stage.Shown.What == ShowsPast {
		c.host.Say("the past is not recorded; leave it first (End)")
		return
	}
	if c.stage.Player.Engine == nil {
		c.host.Say("only the engine's own loop can record")
		return
	}
	if c.stage.Player.Records() {
		if err := c.stage.Player.Engine.History().StopRecording(); err != nil {
			c.host.Say(err.Error())
			return
		}
		c.host.Say("wrote " + c.Recording.path + "; the list of scenes begins with it")
		c.recents.Add(c.Recording.path)
		return
	}
	if r := c.Recording; r != nil {
		if !r.closed && !r.over.Load() {
			c.host.Say("the last recording is still being written")
			return
		}
		r.close(nil) // the engine goes on without an error
		c.RecordErr = cmp.Or(c.RecordErr, r.Err)
	}
	path, err := outfile.Free("halfstep-%03d.rec", "recordings")
	if err == nil {
		err = c.recordTo(path)
	}
	if err != nil {
		c.host.Warn(NotSaved(err))
		return
	}
	c.host.Say("recording to " + path)
}

// recordTo begins a recording of the running engine.
func (c *Recorder) recordTo(path string) error {
	r, err := newRecording(path, c.begun)
	if err != nil {
		return err
	}
	if err := c.stage.Player.Engine.History().StartRecording(*r.options(c.stage.Scene(), c.RecordFailed)); err != nil {
		r.file.Close()
		os.Remove(path)
		return err
	}
	c.Recording, r.byKey = r, true
	return nil
}

// RecordFailed shows at once that the recording could not be written. The run reports it again at its end.
// Any goroutine may call it.
func (c *Recorder) RecordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	words.Complain(c.stage.Stderr, err)
	c.host.Later(func() error { c.host.Warn(err.Error()); return nil })
}
