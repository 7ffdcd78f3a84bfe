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

// Recording is a file to which the engine records the scene. It is the file of -record, for the
// first scene, or a file that the user has begun with a key. It ends when the user leaves the scene
// or presses the key again.
type Recording struct {
	file   *outfile.Stream
	path   string
	Ended  chan struct{} // Ended is closed when the engine writes nothing more.
	over   atomic.Bool   // Ended is closed
	Err    error         // Err says why the recording is not complete.
	closed bool          // the file is closed
	byKey  bool          // byKey says that a key began the recording, and not -record.
}

// Recorder records the open scene to a file, and keeps the last seconds of the scene in the black box.
type Recorder struct {
	stage    *Stage
	host     Host
	comparer *Comparer
	files    *Background
	recents  *Recents

	Recording  *Recording   // the newest, or nil
	RecordErr  error        // RecordErr is the first error of an earlier recording.
	PanelShown bool         // PanelShown says that the picture has a panel with the time bar.
	begun      *atomic.Bool // begun says that the first scene has opened, so that older files may be replaced (see newRecording).
}

// newRecording creates the file of a recording. It replaces an older file only once begun is true, so that
// a run that fails at its start destroys no file.
func newRecording(path string, begun *atomic.Bool) (*Recording, error) {
	f, err := outfile.Create(path, begun)
	if err != nil {
		return nil, err
	}
	return &Recording{file: f, path: path, Ended: make(chan struct{})}, nil
}

// options returns the options of an engine that records the scene to the file. If the file can no longer be
// written, failed is called.
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

// close closes the file once the engine has written all data. The parameter err is the error that the
// engine returned when it was closed.
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

// record makes the engine with that configuration record the scene to the file of -record. It does so
// only if the flag is given and this is the first scene.
func (c *Recorder) record(sc *SceneEntry, to *engine.Config) (err error) {
	if c.stage.Options.Record == "" || c.Recording != nil {
		return nil
	}
	if c.Recording, err = newRecording(c.stage.Options.Record, c.begun); err != nil {
		return err
	}
	to.History.Record = c.Recording.options(sc, c.RecordFailed)
	to.History.Record.From, to.History.Record.FromSetup = c.stage.Options.RecordFrom, true // a viewer that replays the recording can set up the scene
	return nil
}

// ToggleRecording begins a recording of the scene at this moment. If a recording is in progress, it ends
// that recording instead.
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
		r.close(nil) // the engine continues without an error
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

// RecordFailed shows at once that the recording could not be written. The run reports the error again at
// its end. Any goroutine may call it.
func (c *Recorder) RecordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	words.Complain(c.stage.Stderr, err)
	c.host.Later(func() error { c.host.Warn(err.Error()); return nil })
}
