package engine

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"halfstep/buffer"
	"halfstep/internal/dumpfiles"
	"halfstep/internal/history"
	"halfstep/world"
)

// BlackBoxOptions configure a black box. A black box keeps the last seconds of a run in memory: a
// snapshot of the world from time to time, and all commands since. It writes these seconds to a
// file, as a recording, when a function that physics calls panics, when a replay differs from its
// recording, and when History.DumpBlackBox is called. Package hitch writes such a file together
// with the report of a hitch.
//
// If a step failed, the recording ends with the step before the failed step, and Recording.Failed
// is true. If a command failed, the recording ends with that command.
//
// If the world has controllers, hooks, kept states or registered functions, only the program of
// that world can compute the world. Then a file also has the shown states, with 32 bytes for each
// body that moves in a tick and about 32 MiB at most, and the viewer shows these states. If many
// bodies move, the states cover less time than the commands.
//
// A black box needs about 1% of the time of a step, and with states about 4% if everything moves.
// It cannot store the changes that a function given to Do makes, so a file covers only the time
// since the last such call. Use world.Register and DoNamed in place of Do.
type BlackBoxOptions struct {
	Dir string // the folder of the files; the engine makes the folder if it does not exist
	// Length is the time that a file covers at least, in the world's time, or the whole run if the
	// run is shorter. 0 means 30 s.
	Length   time.Duration
	MaxFiles int   // the greatest number of files in Dir; 0 means 20
	MaxBytes int64 // the greatest number of bytes in Dir; 0 means 256 MiB
	// Scene and Data have the meaning that they have in RecordOptions.
	Scene string
	Data  []byte
	// NoStates keeps no shown states, even for a world with controllers, hooks, kept states or
	// registered functions.
	NoStates bool
	// OnDump is called on the physics goroutine after a failure of physics. Its parameter path is
	// the path of the file, and err is not nil if the file could not be written. If OnDump is nil,
	// Config.Logger gets the path or the error.
	OnDump func(path string, err error)

	// InMemory writes no files: only History.BlackBox and History.Past return the last seconds. The
	// fields about files are ignored.
	InMemory bool
	// Memory is the number of bytes for more snapshots than files need. With them a replay of
	// History.Past reaches any of its ticks quickly. These snapshots need between 1.4% and 2% of
	// the time of steps. 0 means no such snapshots.
	Memory int64
}

// ErrNoBlackBox is the error of DumpBlackBox in an engine without a black box.
var ErrNoBlackBox = errors.New("the engine has no black box: set HistoryOptions.BlackBox")

// blackBox writes the past of a history.Box to files. Engine.box is nil without
// HistoryOptions.BlackBox.
type blackBox struct {
	*history.Box
	opts   BlackBoxOptions
	log    *slog.Logger
	folder dumpfiles.Folder

	// disk is locked while a file is written. A disk may be slow, so code that holds the lock disk
	// holds no further lock.
	disk  sync.Mutex
	last  string                                                  // the name of the newest file
	write func(name string, data []byte) (path string, err error) // the method put, or a function of a test
}

func newBlackBox(o BlackBoxOptions, log *slog.Logger) (*blackBox, error) {
	switch {
	case o.Dir == "" && !o.InMemory:
		return nil, errors.New("black box: no directory")
	case o.Length < 0:
		return nil, fmt.Errorf("black box: a length of %v is below 0", o.Length)
	}
	if !o.InMemory {
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return nil, fmt.Errorf("black box: %w", err)
		}
	}
	b := &blackBox{opts: o, log: log, Box: history.NewBox(cmp.Or(o.Length, 30*time.Second), o.Memory, !o.NoStates, o.Scene, o.Data)}
	b.folder = dumpfiles.Folder{
		Dir: o.Dir, Prefix: "blackbox-", Suffixes: []string{blackBoxSuffix}, Reasons: true,
		MaxDumps: cmp.Or(max(o.MaxFiles, 0), 20), MaxBytes: cmp.Or(max(o.MaxBytes, 0), 256<<20),
	}
	b.write = b.put
	return b, nil
}

const blackBoxSuffix = ".rec"

// dump writes a file with the reason why at the end of its name. Any goroutine may call dump.
func (b *blackBox) dump(why string) (path string, err error) {
	b.disk.Lock()
	defer b.disk.Unlock()
	data, err := b.File()
	if err != nil {
		return "", err
	}
	name := b.folder.Name(time.Now())
	for name <= b.last { // a name is a time in microseconds; here it becomes later than the last name
		name = b.folder.Name(time.Now())
	}
	b.last = name
	if path, err = b.write(name+"-"+why+blackBoxSuffix, data); err != nil {
		return "", fmt.Errorf("black box: %w", err)
	}
	return path, nil
}

// put removes the oldest files of the folder until MaxFiles and MaxBytes allow a new file, and
// writes the data to a new file.
func (b *blackBox) put(name string, data []byte) (path string, err error) {
	if err := b.folder.MakeRoom(int64(len(data))); err != nil {
		return "", err
	}
	return b.folder.Put(name, data)
}

// DumpBlackBox writes the last seconds to a file and returns its path. The letters and digits of
// the parameter why become part of the file's name. Without HistoryOptions.BlackBox, or with
// InMemory, the error is ErrNoBlackBox. Any other error says that the world cannot be saved, or
// that the file cannot be written. DumpBlackBox waits for the disk, but never for a step. Any
// goroutine may call DumpBlackBox, also after Close.
func (h History) DumpBlackBox(why string) (path string, err error) {
	e := h.e
	if e.box == nil || e.box.opts.InMemory {
		return "", ErrNoBlackBox
	}
	e.awaitFailed()
	return e.box.dump(plainName(why))
}

// awaitFailed waits, after a failure, until the black box has the failed step. Without this wait, a
// call after Engine.Failure has returned the failure could be too early.
func (e *Engine) awaitFailed() {
	if e.Failure() != nil {
		<-e.boxFailed
	}
}

// BlackBox returns the recording that DumpBlackBox writes to a file. BlackBox returns the same
// errors as DumpBlackBox, except those about the file, and does not wait for the disk. Any
// goroutine may call BlackBox, also after Close.
func (h History) BlackBox() (recording []byte, err error) {
	e := h.e
	if e.box == nil {
		return nil, ErrNoBlackBox
	}
	e.awaitFailed()
	return e.box.File()
}

// Past returns the last seconds as a recording for engines of this process. Past needs less time
// than BlackBox. A replay of this recording can go to any of its ticks (see History.Seek and
// HistoryOptions.ReplayFrom), and is faster at this with more BlackBoxOptions.Memory. The recording
// always ends with a whole step, even after a failure. Past returns the same errors as BlackBox.
// Any goroutine may call it, also after Close.
func (h History) Past() (*Recording, error) {
	e := h.e
	if e.box == nil {
		return nil, ErrNoBlackBox
	}
	f, err := e.box.Recording()
	if err != nil {
		return nil, err
	}
	return recordingOf(f), nil
}

// plainName returns the first 40 letters and digits of a text, or "asked" if the text has none.
func plainName(text string) string {
	name := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, text)
	return cmp.Or(name[:min(len(name), 40)], "asked")
}

// dumpFailure writes the black box to a file after a failure of physics, on the physics goroutine,
// and reports the file to OnDump. The file's name gives the reason: a panic, a replay that differed
// (mismatch), a function that ended the goroutine (exit), or an interrupted step (failure).
func (b *blackBox) dumpFailure(f *buffer.Failure) {
	if b.opts.InMemory {
		return
	}
	why := "failure"
	switch {
	case errors.As(f, new(*Mismatch)):
		why = "mismatch"
	case errors.Is(f, buffer.ErrGoexit):
		why = "exit"
	case !errors.Is(f, world.ErrInterrupted):
		why = "panic"
	}
	path, err := b.dump(why)
	defer func() { _ = recover() }() // OnDump may panic, but physics has failed already
	switch {
	case b.opts.OnDump != nil:
		b.opts.OnDump(path, err)
	case err != nil:
		b.log.Error(err.Error())
	default:
		b.log.Info("black box: wrote " + path)
	}
}
