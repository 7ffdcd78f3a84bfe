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
	// Scene and Data are those of RecordOptions, from which the program builds the scene again.
	Scene string
	Data  []byte
	// First is the tick at which the recording begins: 0, or the tick of its snapshot. In a Live
	// recording of states First increases when old ticks are dropped, see ReadOptions.Memory.
	First uint64
	// Snapshot is true if the recording begins with a snapshot. Then the function setup of a replay
	// only has to add controllers, hooks and registered functions.
	Snapshot bool
	// States is true if the recording has the shown states instead of the commands that led to
	// them; see History.StreamStates. The world of such a replay is empty.
	States bool
	// HasStates is true if ReadOptions.States can read the states of the recording.
	HasStates bool
	// Ticks is the tick of the last whole step in the recording.
	Ticks uint64
	// Failed is true if the step after Ticks has failed, as a black box may record it. A replay
	// fails in the same step.
	Failed bool
	// Alpha is the fraction of a step, from 0 to 1, that was left in the clock after the last frame.
	Alpha float64
	// Rate is the number of steps per second at the tick First. A replay and TimeAt also use later
	// rates.
	Rate clock.Rate
	// Cut is true if the file ends early, after a crash for example. A replay then ends at the last
	// whole tick.
	Cut bool
	// CameraMin and CameraMax are those of WatchOptions, in m.
	CameraMin, CameraMax world.Vec
	// Live is true while the recording is still being written; see FollowRecording. While Live is
	// true, the fields about the end of the recording describe the part that the replaying engine
	// has read.
	Live bool

	file    *history.File
	growing *history.Growing // reads the new part of a recording that is still being written; or nil
}

// ErrCorrupt is wrapped by the error of ReadRecording if the recording was changed
// after it was written.
var ErrCorrupt = history.ErrCorrupt

// OpenRecording reads the recording in a file. See ReadRecording for the errors.
func OpenRecording(path string) (*Recording, error) { return ReadOptions{}.Open(path) }

// ReadRecording reads a whole recording. If any bit of the recording was changed, the error wraps
// ErrCorrupt and says where. If the end of the recording is missing, ReadRecording reads up to the
// last whole tick, and Cut is true. If the data are no recording, ReadRecording returns an error
// after the first bytes. ReadRecording reads at most 16 GiB, and needs at most about 100 bytes of
// memory for each byte that it reads.
func ReadRecording(from io.Reader) (*Recording, error) { return ReadOptions{}.Read(from) }

// ReadOptions say how a recording is read and which recordings are refused. The zero ReadOptions
// are safe for a file from an unknown source.
type ReadOptions struct {
	// MaxContacts is the highest world.Config.MaxContacts that the recorded world may have had; 0
	// means world.DefaultMaxContacts. A file of some kilobytes with a higher number can make a
	// world that needs gigabytes.
	MaxContacts int
	// States reads the states of a recording, in place of the commands. The recording must have
	// been made with RecordOptions.States. Recording.States is then true.
	States bool
	// Memory is the greatest number of bytes that FollowRecording keeps of a recording. 0 means 256
	// MiB, and a negative value means no limit. Beyond the limit, a recording of states loses its
	// oldest ticks, and a recording of commands ends with an error; then call FollowRecording
	// again.
	Memory int64
}

// Open is OpenRecording with these options.
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

// Read is ReadRecording with these options.
func (o ReadOptions) Read(from io.Reader) (*Recording, error) {
	f, err := history.Read(from, cmp.Or(o.MaxContacts, world.DefaultMaxContacts), o.States)
	if err != nil {
		return nil, err
	}
	return recordingOf(f), nil
}

// FollowRecording reads the beginning of a recording that is still being written, such as the
// recording of History.Stream. Another goroutine then reads the rest, until the reader given as
// from ends. An engine that replays the recording adds the ticks that have arrived in each frame,
// and waits at the last of them. Only the goroutine that draws for that engine may use the
// Recording. FollowRecording returns the same errors as ReadRecording.
func FollowRecording(from io.Reader) (*Recording, error) { return ReadOptions{}.Follow(from) }

// Follow is FollowRecording with these options.
func (o ReadOptions) Follow(from io.Reader) (*Recording, error) {
	g, err := history.Follow(from, cmp.Or(o.MaxContacts, world.DefaultMaxContacts), cmp.Or(o.Memory, 256<<20))
	if err != nil {
		return nil, err
	}
	r := recordingOf(g.File())
	r.growing, r.Live = g, true
	return r, nil
}

// Err returns the error with which the reading of a Live recording has ended, or nil: the recording
// was changed, or could not be read. Any goroutine may call Err.
func (r *Recording) Err() error {
	if r.growing == nil {
		return nil
	}
	_, err := r.growing.Ended()
	return err
}

// grow adds the ticks of a Live recording that have arrived. It reports whether there were any.
func (r *Recording) grow() (grown bool) {
	ended, _ := r.growing.Ended() // Ended is called before the file is read, so that Live ends with the last part
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

// TimeAt returns the time that passes in the world from the first tick of the recording to the
// given tick, at the recorded rates. The first tick is First, or an earlier tick if a Live
// recording has dropped its oldest ticks.
func (r *Recording) TimeAt(tick uint64) time.Duration {
	return time.Duration(math.Round(r.file.Seconds(tick) * 1e9))
}

// TickAt returns the last tick for which TimeAt is at most d, or First if there is no such tick.
func (r *Recording) TickAt(d time.Duration) uint64 { return r.file.TickAt(d.Seconds()) }

// rateTo returns the rate of the step to the given tick, or zero if the recording does not have
// that step.
func (r *Recording) rateTo(tick uint64) clock.Rate {
	rate, err := clock.RateOf(1 / r.file.Dt(tick))
	if err != nil {
		return clock.Rate{}
	}
	return rate
}

// lastTick returns the last tick that a replay demands, including a step that has failed.
func (r *Recording) lastTick() uint64 {
	if r.Failed {
		return r.Ticks + 1
	}
	return r.Ticks
}

// FinalHash returns World.Hash after the last command. It returns 0 if the recording is Cut, comes
// from a black box, or has States.
func (r *Recording) FinalHash() uint64 { return r.file.Ending.Hash }

// Config returns the Config of an engine that replays the recording. The function setup must build
// the same scene as for the recording. Do not change Config.World.Stepper.
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
	// Body and Name are the first body that differs, Value says which of its values differs, and
	// Got is that value in the replay. Body is 0 if only the hashes differ. Body is also 0 if the
	// numbers of bodies differ; then Got is the number of bodies in the replay.
	Body  world.Body
	Name  string
	Value string
	Got   float64 // m, rad, m/s or rad/s

	Recorded, Replayed uint64 // hashes of the world

	// Unregistered is the name of a function that the recording calls but this program has not
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

// Verify replays the whole recording as fast as possible, without a clock or a picture. The
// function setup must build the same scene as for the recording. Verify returns the hash of the
// world at the end. The error is a *Mismatch if a tick differs, and a *buffer.Failure if setup or a
// function that the recording calls panics or ends its goroutine.
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
