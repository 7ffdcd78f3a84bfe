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

// BlackBoxOptions configure a black box. It keeps the last seconds of a run in memory: a
// snapshot of the world now and then, and all commands after it. It writes these seconds as a
// recording when a function that physics calls panics, when a replay differs from its
// recording, and when History.DumpBlackBox is called. Package hitch writes one together with
// the report of a hitch. Such a file replays like any other recording.
//
// If a step failed, the recording ends with the step before it, and Recording.Failed is true.
// If a command failed, it is the last command.
//
// If the world has controllers, hooks, kept states or registered functions, only its own
// program can compute it. Then a file also has the states that were shown, with 32 bytes for
// each body that moves in a tick, and the viewer shows these states. They need about 32 MiB at
// most. If many bodies move, the states cover less time than the rest of the file.
//
// A black box needs about a hundredth of the time of a step. With states it needs about three
// hundredths more if everything moves. It cannot store the changes that a function given to Do
// makes, so a file covers only the time between two such calls, or from the last call to the
// present. Give such functions a name with world.Register, and use DoNamed.
type BlackBoxOptions struct {
	Dir string // the folder of the files; made if it does not exist
	// Length is the least time that a file covers, in the world's time. A file of a younger run
	// covers the whole run. 0 means 30 s.
	Length   time.Duration
	MaxFiles int   // the greatest number of files in Dir; 0 means 20
	MaxBytes int64 // the greatest number of bytes in Dir; 0 means 256 MiB
	// Scene and Data are as in RecordOptions.
	Scene string
	Data  []byte
	// NoStates leaves the states out of the black box of a world that only its own
	// program can compute.
	NoStates bool
	// OnDump is called on the physics goroutine when a file was written because physics has failed.
	// It gets the path of the file, or the error if the file could not be written. If OnDump is
	// nil, Config.Logger gets both.
	OnDump func(path string, err error)

	// InMemory keeps the last seconds only for History.BlackBox. No file is written, and the fields
	// about files are ignored.
	InMemory bool
	// Memory is the number of bytes for snapshots, with which a replay of History.Past reaches any
	// of its ticks quickly. These snapshots need about a seventieth of the time of steps, and up to
	// a fiftieth if it would take long to go back without them. 0 means no more snapshots than
	// files need.
	Memory int64
}

// ErrNoBlackBox is the error of DumpBlackBox in an engine without a black box.
var ErrNoBlackBox = errors.New("the engine has no black box: set HistoryOptions.BlackBox")

// blackBox writes the past of a history.Box to files. It is nil in an engine without a black
// box.
type blackBox struct {
	*history.Box
	opts   BlackBoxOptions
	log    *slog.Logger
	folder dumpfiles.Folder

	// disk is locked while a file is written. A disk may be slow, so no other lock is held during
	// that time.
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

// dump writes a file whose name ends with the parameter why. Any goroutine may call it.
func (b *blackBox) dump(why string) (path string, err error) {
	b.disk.Lock()
	defer b.disk.Unlock()
	data, err := b.File()
	if err != nil {
		return "", err
	}
	name := b.folder.Name(time.Now())
	for name <= b.last { // a name is a time in microseconds, and must differ from the last name
		name = b.folder.Name(time.Now())
	}
	b.last = name
	if path, err = b.write(name+"-"+why+blackBoxSuffix, data); err != nil {
		return "", fmt.Errorf("black box: %w", err)
	}
	return path, nil
}

// put removes the oldest files of the folder until there is room, and writes a file.
func (b *blackBox) put(name string, data []byte) (path string, err error) {
	if err := b.folder.MakeRoom(int64(len(data))); err != nil {
		return "", err
	}
	return b.folder.Put(name, data)
}

// DumpBlackBox writes the last seconds to a file and returns its path. why becomes part of the
// file's name, without characters other than letters and digits. The error is ErrNoBlackBox
// without HistoryOptions.BlackBox or with InMemory; otherwise it says that the world cannot be
// saved, or that the file cannot be written. DumpBlackBox waits for the disk, but never for a
// step. Any goroutine may call DumpBlackBox, also after Close.
func (h History) DumpBlackBox(why string) (path string, err error) {
	e := h.e
	if e.box == nil || e.box.opts.InMemory {
		return "", ErrNoBlackBox
	}
	e.awaitFailed()
	return e.box.dump(plainName(why))
}

// awaitFailed waits, after a failure, until the black box has the failed step. Engine.Failure
// may return the failure a moment before that.
func (e *Engine) awaitFailed() {
	if e.Failure() != nil {
		<-e.boxFailed
	}
}

// BlackBox returns the last seconds as a recording, which DumpBlackBox writes to a file. It
// returns the same errors as DumpBlackBox, except those about the file. It does not wait for
// the disk. Any goroutine may call it, also after Close.
func (h History) BlackBox() (recording []byte, err error) {
	e := h.e
	if e.box == nil {
		return nil, ErrNoBlackBox
	}
	e.awaitFailed()
	return e.box.File()
}

// Past returns the last seconds as a recording for engines of this process. It needs less time
// than BlackBox. A replay of this recording goes to any of its ticks, and the more
// BlackBoxOptions.Memory there is, the faster; see also HistoryOptions.ReplayFrom. Even after a
// failure, the recording ends with the last whole step. Past returns the same errors as
// BlackBox. Any goroutine may call it, also after Close.
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

// plainName removes everything except letters and digits from a text, for the name of a file.
func plainName(text string) string {
	name := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, text)
	return cmp.Or(name[:min(len(name), 40)], "asked")
}

// dumpFailure writes the black box once physics has failed, on the physics goroutine, and
// reports the file to OnDump. The file's name gives the reason: a panic, a replay that differed
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
