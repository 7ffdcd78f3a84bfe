package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"halfstep/buffer"
	"halfstep/internal/history"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Recording is a recording that was read with OpenRecording or ReadRecording.
type Recording struct {
	// Scene and Data come from RecordOptions: how to build the scene again.
	Scene string
	Data  []byte
	// First is the tick at which the recording begins: 0, or the tick of its snapshot. In a Live
	// recording of states it increases, see ReadOptions.Memory.
	First uint64
	// Snapshot is true if the recording begins with a snapshot: then setup only adds what a snapshot
	// does not contain.
	Snapshot bool
	// States is true if the recording has the shown states instead of the commands that led to
	// them; see History.StreamStates. Its world is empty.
	States bool
	// HasStates is true if ReadOptions.States can read the states of the recording.
	HasStates bool
	// Ticks is the tick of the last whole step in the recording.
	Ticks uint64
	// Failed is true if the step after Ticks has failed, as at the end of a black box. A replay
	// fails in the same step.
	Failed bool
	// Alpha is the fraction of a step, from 0 to 1, that was left in the clock after the last frame.
	Alpha float64
	// Rate is the number of steps per second at the start. The rate may change later, and a replay
	// and TimeAt use the changed rates.
	Rate clock.Rate
	// Cut is true if the file ends early, after a crash for example. It then
	// replays to its last whole tick.
	Cut bool
	// CameraMin and CameraMax are those of WatchOptions, m.
	CameraMin, CameraMax world.Vec
	// Live is true while more of the recording will come; see FollowRecording. Until then the fields
	// about its end say how far the engine that replays it has read.
	Live bool

	file    *history.File
	growing *history.Growing // reads the new part of a recording that is still being written; or nil
}

// ErrCorrupt is wrapped by the error of ReadRecording if the recording was changed
// after it was written.
var ErrCorrupt = history.ErrCorrupt

// OpenRecording reads the recording in a file. See ReadRecording for the errors.
func OpenRecording(path string) (*Recording, error) { return ReadOptions{}.Open(path) }

// ReadRecording reads a whole recording. If any bit of it was changed, the error wraps
// ErrCorrupt and says where. If its end is missing, it is read up to its last whole tick, and
// Cut is true. If the data are no recording, ReadRecording returns an error after the first
// bytes. It reads at most 16 GiB, and needs at most about 100 times as many bytes of memory.
func ReadRecording(from io.Reader) (*Recording, error) { return ReadOptions{}.Read(from) }

// ReadOptions say which recordings are accepted. ReadRecording uses the zero ReadOptions, which
// are safe for a file from an unknown source.
type ReadOptions struct {
	// MaxContacts is the highest world.Config.MaxContacts that the recorded world may
	// have had; 0 means world.DefaultMaxContacts. With more contacts a file of some
	// kilobytes can make a world that takes gigabytes.
	MaxContacts int
	// States reads the states of a recording that was made with RecordOptions.States, in place of
	// its commands: see Recording.States.
	States bool
	// Memory is the number of bytes that are kept of a recording in FollowRecording. 0 means 256
	// MiB, and a negative value means no limit. Beyond that number, a recording of states loses its
	// oldest ticks, and a recording of commands ends with an error. After that, call FollowRecording
	// again.
	Memory int64
}

// Open reads the recording in a file, like OpenRecording.
func (o ReadOptions) Open(path string) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := o.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Read reads a whole recording, like ReadRecording.
func (o ReadOptions) Read(from io.Reader) (*Recording, error) {
	f, err := history.Read(from, cmp.Or(o.MaxContacts, world.DefaultMaxContacts), o.States)
	if err != nil {
		return nil, err
	}
	return recordingOf(f), nil
}

// FollowRecording reads the beginning of a recording that is still being written, such as that
// of History.Stream. A goroutine of its own reads the rest until the reader from ends. An engine
// that replays the recording uses the new ticks in each frame, and waits at the last tick for
// more. The recording then belongs to that engine's goroutine. FollowRecording returns the same
// errors as ReadRecording.
func FollowRecording(from io.Reader) (*Recording, error) { return ReadOptions{}.Follow(from) }

// Follow reads a recording that is still being written, like FollowRecording.
func (o ReadOptions) Follow(from io.Reader) (*Recording, error) {
	g, err := history.Follow(from, cmp.Or(o.MaxContacts, world.DefaultMaxContacts), cmp.Or(o.Memory, 256<<20))
	if err != nil {
		return nil, err
	}
	r := recordingOf(g.File())
	r.growing, r.Live = g, true
	return r, nil
}

// Err returns why a recording that was Live has ended too early: it was changed, or could not be
// read. Otherwise it is nil. Any goroutine may call it.
func (r *Recording) Err() error {
	if r.growing == nil {
		return nil
	}
	_, err := r.growing.Ended()
	return err
}

// grow adds the new ticks of a live recording. It reports whether there were any.
func (r *Recording) grow() (grown bool) {
	ended, _ := r.growing.Ended() // asked before the file is read, so that Live ends with the last part
	if f := r.growing.File(); f != r.file {
		r.set(f)
		grown = true
	}
	r.Live = !ended
	return grown
}

func recordingOf(f *history.File) *Recording {
	r := &Recording{Scene: f.Header.Scene, Data: f.Header.Data, First: f.First, Snapshot: f.HasSnapshot(), States: f.Shows(), HasStates: f.Shows() || f.Header.States, Rate: f.Header.Rate,
		CameraMin: f.Header.CameraMin, CameraMax: f.Header.CameraMax,
	}
	r.set(f)
	return r
}

// set sets the fields about the length and the end of the recording, which change while the
// recording grows.
func (r *Recording) set(f *history.File) {
	r.file, r.First, r.Ticks, r.Failed, r.Cut = f, f.First, f.Ticks, f.Failed(), f.Cut
	if last := f.LastRemainder(); last.Step > 0 {
		r.Alpha = last.Fraction()
	}
	if first := r.rateTo(r.First + 1); first != (clock.Rate{}) {
		r.Rate = first
	}
}

// TimeAt returns the time of the world between the beginning of the recording and a tick, with
// the rates of that time. The beginning is the tick First, unless a recording that is followed
// has dropped its oldest ticks.
func (r *Recording) TimeAt(tick uint64) time.Duration {
	return time.Duration(math.Round(r.file.Seconds(tick) * 1e9))
}

// TickAt returns the tick at which the time d has passed in the world since the tick First.
func (r *Recording) TickAt(d time.Duration) uint64 { return r.file.TickAt(d.Seconds()) }

// rateTo returns the rate of the step to a tick, or zero if the recording does not have the
// step.
func (r *Recording) rateTo(tick uint64) clock.Rate {
	rate, err := clock.RateOf(1 / r.file.Dt(tick))
	if err != nil {
		return clock.Rate{}
	}
	return rate
}

// lastTick is the last tick to replay. It includes a step that has failed.
func (r *Recording) lastTick() uint64 {
	if r.Failed {
		return r.Ticks + 1
	}
	return r.Ticks
}

// FinalHash returns World.Hash after the last command. It is 0 if the recording is Cut, comes
// from a black box, or has states.
func (r *Recording) FinalHash() uint64 { return r.file.Ending.Hash }

// Config returns the Config of an engine that replays the recording. setup must
// build the scene as it was built for the recording. Do not change World.Stepper.
func (r *Recording) Config(setup func(*world.World) error) Config {
	if r.States {
		setup = nil
	}
	c := Config{Time: Time{Rate: r.Rate}, Setup: setup, History: HistoryOptions{Replay: r}}
	if r.file != nil {
		c.World = r.file.Header.World
	}
	return c
}

var errNoRecording = errors.New("replay: the Recording is empty; ReadRecording makes one")

func (r *Recording) options(memory int64) history.ReplayOptions {
	return history.ReplayOptions{File: r.file, Memory: memory, Differs: func(d history.Difference) error {
		return (*Mismatch)(&d)
	}}
}

// Mismatch is the error of a replay that differs from its recording.
type Mismatch struct {
	Tick uint64 // the first tick at which the worlds differ
	// Body and Name are the first body that differs, Value says which of its values differs, and Got
	// is that value in the replay. Body is 0 if only the hashes differ, or if the numbers of bodies
	// differ; then Got is the number in the replay.
	Body  world.Body
	Name  string
	Value string
	Got   float64 // m, rad, m/s or rad/s

	Recorded, Replayed uint64 // hashes of the world

	// Unregistered is the name of a function that the recording calls and that this program has not
	// registered, or "".
	Unregistered string
}

// Error returns a sentence with the tick, the hashes and the first difference.
func (m *Mismatch) Error() string {
	where := "the bodies are alike, but hidden state of the world differs"
	switch {
	case m.Value == "bodies":
		where = fmt.Sprintf("the number of bodies differs: %v now", m.Got)
	case m.Body != 0:
		who := m.Body.String()
		if m.Name != "" {
			who += fmt.Sprintf(" (%q)", m.Name)
		}
		where = fmt.Sprintf("the first is %s, whose %s is now %v", who, m.Value, m.Got)
	}
	if m.Unregistered != "" {
		where += fmt.Sprintf("; the recording has called the function %q, which is not registered here", m.Unregistered)
	}
	return fmt.Sprintf("replay: tick %d differs from the recording (hash %016x, recorded %016x): %s",
		m.Tick, m.Replayed, m.Recorded, where)
}

// Verify replays the whole recording as fast as possible, without a clock or a
// picture. setup must build the scene as it was built for the recording. Verify
// returns the hash of the world at the end. The error is a *Mismatch if a tick
// differs, and a *buffer.Failure if setup or a function that the recording calls
// panics or ends its goroutine. The replay runs on a goroutine of its own.
func (r *Recording) Verify(setup func(*world.World) error) (hash uint64, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick, finished := func() uint64 { return r.First }, false
		defer func() {
			if f := buffer.NewFailure(tick(), recover(), finished); f != nil {
				err = f
			}
		}()
		var p *Player
		if p, err = r.Player(setup, PlayerOptions{Memory: -1}); err == nil {
			defer p.Close()
			tick = p.Tick
			if err = p.Seek(r.Ticks); err == nil {
				err = p.guard(p.player.Finish)
			}
			hash = p.World().Hash()
		}
		finished = true
	}()
	<-done
	return hash, err
}
