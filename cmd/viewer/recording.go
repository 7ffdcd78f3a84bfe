package main

import (
	"fmt"

	"halfstep/engine"
)

// recording is the file that -record writes. It holds the first scene that is
// opened, until the user leaves that scene.
type recording struct {
	file *stream
	err  error // why the recording is not complete
}

// record makes the engine with that configuration record the scene.
func (v *viewer) record(sc *sceneEntry, c *engine.Config) error {
	if v.o.Record == "" || v.recording != nil {
		return nil
	}
	f, err := newStream(v.o.Record)
	if err != nil {
		return err
	}
	v.recording = &recording{file: f}
	c.Record = &engine.RecordOptions{
		W: f, Scene: sc.name, Data: sc.data,
		OnError: v.recordFailed,
	}
	return nil
}

// recordFailed reports at once that the recording has ended. The run reports it
// again when it ends. Any goroutine.
func (v *viewer) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	complain(v.stderr, err)
	v.queue.put(inputEvent{kind: messageInput, text: err.Error()})
}
