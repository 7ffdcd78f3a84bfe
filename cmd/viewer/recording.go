package main

import (
	"cmp"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"halfstep/engine"
)

// recording is a file that is recorded to: that of -record, with the first scene
// that is opened, or one that a key has begun. It ends when the user leaves the
// scene or presses the key.
type recording struct {
	file   *stream
	path   string
	ended  chan struct{} // closed when nothing more is written to the file
	over   atomic.Bool
	err    error // why the recording is not complete
	closed bool
}

func newRecording(path string, ending <-chan struct{}) (*recording, error) {
	f, err := newStream(path, ending)
	if err != nil {
		return nil, err
	}
	return &recording{file: f, path: path, ended: make(chan struct{})}, nil
}

// options are those of an engine that records the scene.
func (r *recording) options(v *viewer, sc *sceneEntry) *engine.RecordOptions {
	return &engine.RecordOptions{
		W: r.file, Scene: sc.name, Data: sc.data,
		OnError: v.recordFailed,
		OnEnd: func(error) {
			r.over.Store(true)
			close(r.ended)
		},
	}
}

// close closes the file of an engine that was closed with that error.
func (r *recording) close(err error) {
	if r == nil || r.closed {
		return
	}
	select {
	case <-r.ended:
	case <-time.After(time.Second): // the engine has given the writer up
	}
	r.closed = true
	r.err = cmp.Or(err, r.file.Close())
}

// record makes the engine with that configuration record the scene.
func (v *viewer) record(sc *sceneEntry, c *engine.Config) (err error) {
	if v.o.Record == "" || v.recording != nil {
		return nil
	}
	if v.recording, err = newRecording(v.o.Record, v.queue.quitting); err != nil {
		return err
	}
	c.Record = v.recording.options(v, sc)
	c.Record.From = v.o.RecordFrom
	return nil
}

// toggleRecording begins a recording of the scene from here on, or ends the one
// under way.
func (v *viewer) toggleRecording() {
	if v.past != nil {
		v.say("the past is not recorded; leave it first (End)")
		return
	}
	if v.player.engine == nil {
		v.say("only the engine's own loop can record")
		return
	}
	if v.player.recording() {
		if err := v.player.engine.StopRecording(); err != nil {
			v.say(err.Error())
			return
		}
		v.say("wrote " + v.recording.path)
		return
	}
	if v.recording != nil && !v.recording.closed {
		if !v.recording.over.Load() {
			v.say("the last recording is still being written")
			return
		}
		v.recording.close(nil)
		v.recordErr = cmp.Or(v.recordErr, v.recording.err)
	}
	path, err := freeName("halfstep-%03d.rec", "recordings")
	if err == nil {
		err = v.recordTo(path)
	}
	if err != nil {
		v.say(err.Error())
		return
	}
	v.say("recording to " + path)
}

func (v *viewer) recordTo(path string) error {
	r, err := newRecording(path, v.queue.quitting)
	if err != nil {
		return err
	}
	if err := v.player.engine.StartRecording(*r.options(v, &v.scenes[v.current])); err != nil {
		r.file.Close()
		os.Remove(path)
		return err
	}
	v.recording = r
	return nil
}

// recordFailed reports at once that the recording has ended. The run reports it
// again when it ends. Any goroutine.
func (v *viewer) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	complain(v.stderr, err)
	v.queue.put(inputEvent{kind: messageInput, text: err.Error()})
}
