package engine

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/internal/dumpfiles"
	"halfstep/world"
)

// BlackBoxOptions configure a black box. It keeps the last seconds of a run in
// memory, as a snapshot of the world now and then and the commands since, and writes
// them as a recording when something goes wrong: when a function that physics calls
// panics, when a replay differs from its recording, and when Engine.DumpBlackBox is
// called; package hitch writes one beside the report of a hitch. The file replays as
// every recording does.
//
// It costs about a hundredth of a step. What a function given to Do changes is not in
// it: a file goes from the end of such a call to the next one, or to the present. Give
// such functions a name with world.Register, and use DoNamed.
type BlackBoxOptions struct {
	Dir string // where files go; made if it does not exist
	// Length is how much of the past a file has at least, in the world's time, if
	// the run is that old; 0 means 30 s.
	Length   time.Duration
	MaxFiles int   // kept in Dir; 0 means 20
	MaxBytes int64 // kept in Dir; 0 means 256 MiB
	// Scene and Data are those of RecordOptions.
	Scene string
	Data  []byte
	// OnDump is told of each file that a failure of physics has caused, or of why
	// there is none, on the physics goroutine. Nil logs it.
	OnDump func(path string, err error)

	// InMemory keeps the past for Engine.BlackBox alone. No file is written, and
	// the fields about files mean nothing.
	InMemory bool
}

// ErrNoBlackBox is the error of DumpBlackBox in an engine without a black box.
var ErrNoBlackBox = errors.New("the engine has no black box: set Config.BlackBox")

const (
	// The past is kept in so many stretches, of which the last is not complete.
	stretches = 7
	// After a change that cannot be recorded, a stretch lasts at least so long.
	shortStretch = time.Second
	// fullStretch is how many bytes of calls a stretch has at most, about.
	fullStretch = 32 << 20
)

// blackBox takes down calls for a file that may never be written. It belongs to the
// physics goroutine, but for dump.
type blackBox struct {
	opts   BlackBoxOptions
	folder dumpfiles.Folder
	each   time.Duration // of a stretch

	// mu is held while a recording is made. Physics begins no stretch then.
	mu   sync.Mutex
	list []*stretch // oldest first
	err  error      // why there is nothing to write

	// disk is held while a file is written. A disk may be slow, so nobody who
	// waits for it holds mu.
	disk  sync.Mutex
	last  string // the name of the newest file
	write func(name string, data []byte) (path string, err error)

	now    *stretch // the last of list, or nil
	trying recordOp // the step that is being done; of no length otherwise
}

// stretch is a keyframe of the world and the calls since.
type stretch struct {
	header   recordHeader
	start    recordStart
	snapshot world.Snapshot
	calls    callList
	passed   time.Duration // in the world's time
	size     int64         // of the calls
	gap      atomic.Bool   // the next stretch does not follow from this one
}

func newBlackBox(o *BlackBoxOptions) (*blackBox, error) {
	if o == nil {
		return nil, nil
	}
	b := &blackBox{opts: *o}
	b.opts.Data = slices.Clone(o.Data)
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
	length, files, size := o.Length, o.MaxFiles, o.MaxBytes
	if length == 0 {
		length = 30 * time.Second
	}
	if files <= 0 {
		files = 20
	}
	if size <= 0 {
		size = 256 << 20
	}
	b.each = max(length/(stretches-1), 1)
	b.folder = dumpfiles.Folder{
		Dir: o.Dir, Prefix: "blackbox-", Suffixes: []string{blackBoxSuffix}, Reasons: true, MaxDumps: files, MaxBytes: size,
	}
	b.write = b.put
	return b, nil
}

const blackBoxSuffix = ".rec"

// begin begins a stretch where one is due. It is called between two frames.
func (b *blackBox) begin(r *recorder) {
	if b == nil || b.err != nil {
		return
	}
	if s := b.now; s != nil {
		limit := b.each
		if s.gap.Load() {
			limit = min(limit, shortStretch)
		}
		if s.passed < limit && s.size < fullStretch {
			return
		}
	}
	if !b.mu.TryLock() { // a recording is being made
		return
	}
	defer b.mu.Unlock()
	b.open(r)
}

// open begins a stretch.
func (b *blackBox) open(r *recorder) {
	s := new(stretch)
	if len(b.list) == stretches {
		s = b.list[0]
		b.list = append(b.list[:0], b.list[1:]...)
		s.clear()
	}
	if err := r.World().Snapshot(&s.snapshot); err != nil {
		b.err = fmt.Errorf("black box: %w", err)
		b.list, b.now = nil, nil
		return
	}
	s.header = r.header(recordVersion, b.opts.Scene, b.opts.Data)
	s.start = recordStart{Tick: r.ticks, Carry: r.frame.Carry, Whole: r.frame.Step, snapshot: &s.snapshot}
	b.list = append(b.list, s)
	b.now = s
}

// rewind takes down that the run went back, where it is again. Stretches that had not
// begun by then make way for one that begins there.
func (b *blackBox) rewind(r *recorder, back *recordOp) {
	switch {
	case b == nil || b.now == nil:
		return
	case b.now.start.Tick < back.Tick:
		b.add(back)
		return
	case !b.mu.TryLock(): // a recording is being made
		b.now.gap.Store(true)
		return
	}
	defer b.mu.Unlock()
	n := len(b.list)
	for n > 0 && b.list[n-1].start.Tick >= back.Tick {
		n--
	}
	clear(b.list[n:])
	b.list = b.list[:n]
	if b.now = nil; n > 0 {
		b.now = b.list[n-1]
		b.add(back)
	}
	b.open(r)
}

func (s *stretch) clear() {
	s.calls.clear()
	s.passed, s.size = 0, 0
	s.gap.Store(false)
}

// add takes a call down.
func (b *blackBox) add(op *recordOp) {
	if b == nil || b.now == nil {
		return
	}
	s := b.now
	if op.Kind == opStep {
		s.passed += time.Duration(op.Dt * float64(time.Second))
	}
	if !s.gap.Load() {
		s.size += op.size()
		s.calls.add(op)
	}
}

// wantsHash reports whether the hash after the step to a tick is taken down. One in
// sixteen shows as well that a replay differs, and costs a sixteenth.
func (b *blackBox) wantsHash(tick uint64) bool {
	return b != nil && b.now != nil && tick%16 == 0
}

// gap says that something has happened that cannot be taken down.
func (b *blackBox) gap() {
	if b != nil && b.now != nil {
		b.now.gap.Store(true)
	}
}

// try says that a step begins.
func (b *blackBox) try(tick uint64, dt float64) {
	if b != nil {
		b.trying = recordOp{Kind: opStep, Tick: tick, Dt: dt}
	}
}

// dump writes a file. Its last call is failed, unless that is nil. Any goroutine.
func (b *blackBox) dump(why string, failed *recordOp) (path string, err error) {
	b.disk.Lock()
	defer b.disk.Unlock()
	data, err := b.recording(failed)
	if err != nil {
		return "", err
	}
	name := b.folder.Name(time.Now())
	for name <= b.last { // names of the same microsecond
		name = b.folder.Name(time.Now())
	}
	b.last = name
	if path, err = b.write(name+"-"+why+blackBoxSuffix, data); err != nil {
		return "", fmt.Errorf("black box: %w", err)
	}
	return path, nil
}

// put writes a file, and removes old ones for it.
func (b *blackBox) put(name string, data []byte) (path string, err error) {
	if err := b.folder.MakeRoom(int64(len(data))); err != nil {
		return "", err
	}
	return b.folder.Put(name, data)
}

// recording is what a file has in it.
func (b *blackBox) recording(failed *recordOp) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil, b.err
	}
	data, err := b.file(failed)
	if err != nil {
		return nil, fmt.Errorf("black box: %w", err)
	}
	return data, nil
}

// file is the recording of what there is. mu is held.
func (b *blackBox) file(failed *recordOp) ([]byte, error) {
	first := len(b.list) - 1
	for first > 0 && !b.list[first-1].gap.Load() {
		first--
	}
	if first < 0 {
		return nil, errors.New("nothing has happened yet")
	}
	header, start := b.list[first].header, b.list[first].start
	if err := start.encode(); err != nil {
		return nil, err
	}
	end := recordEnd{Ticks: start.Tick}
	file := bytes.NewBufferString(recordMagic)
	put := func(kind byte, v any) error {
		chunk, err := encodeChunk(kind, v)
		file.Write(chunk)
		return err
	}
	err := errors.Join(put(chunkHeader, &header), put(chunkStart, &start))
	for i, s := range b.list[first:] {
		ops := s.calls.all()
		if failed != nil && first+i == len(b.list)-1 && !s.gap.Load() {
			ops = append(ops, *failed)
		}
		for i := range ops {
			if ops[i].Kind == opStep {
				end.Ticks = ops[i].Tick
			}
		}
		if len(ops) > 0 && err == nil {
			err = put(chunkOps, ops)
		}
	}
	err = errors.Join(err, put(chunkEnd, &end))
	return file.Bytes(), err
}

// callList is a list that one goroutine adds to while others read what is there.
type callList struct {
	first, last *callChunk
	n           atomic.Int64 // stored after the call is written
}

type callChunk struct {
	ops  [64]recordOp
	next *callChunk
}

func (l *callList) add(op *recordOp) {
	n := l.n.Load()
	i := n % int64(len(callChunk{}.ops))
	if i == 0 {
		l.grow()
	}
	l.last.ops[i] = *op
	l.n.Store(n + 1)
}

// grow makes the next chunk the last one: one that is left of before, or a new one.
func (l *callList) grow() {
	switch {
	case l.first == nil:
		l.first = new(callChunk)
		l.last = l.first
		return
	case l.n.Load() == 0:
		l.last = l.first
		return
	case l.last.next == nil:
		l.last.next = new(callChunk)
	}
	l.last = l.last.next
}

// all returns the calls added so far.
func (l *callList) all() (ops []recordOp) {
	n := int(l.n.Load())
	var c *callChunk
	for len(ops) < n {
		if c == nil {
			c = l.first
		} else {
			c = c.next
		}
		ops = append(ops, c.ops[:min(len(c.ops), n-len(ops))]...)
	}
	return ops
}

// clear empties the list and keeps its memory. Nobody may read it.
func (l *callList) clear() {
	for c := l.first; c != nil; c = c.next {
		clear(c.ops[:])
	}
	l.n.Store(0)
}

// DumpBlackBox writes the last seconds to a file and returns its path. why becomes
// part of the file's name; of other characters than letters and digits nothing is
// left. The error is ErrNoBlackBox without Config.BlackBox or with InMemory, that of
// a world that cannot be saved, or that of the file. It waits for the disk and never
// for a step. Any goroutine may call DumpBlackBox, also after Close.
func (e *Engine) DumpBlackBox(why string) (path string, err error) {
	if e.recorder.box == nil || e.recorder.box.opts.InMemory {
		return "", ErrNoBlackBox
	}
	return e.recorder.box.dump(plainName(why), nil)
}

// BlackBox returns the last seconds as a recording, which DumpBlackBox writes to a
// file. It has the errors of DumpBlackBox, but for those of the file, and does not wait
// for the disk. Any goroutine may call it, also after Close.
func (e *Engine) BlackBox() (recording []byte, err error) {
	if e.recorder.box == nil {
		return nil, ErrNoBlackBox
	}
	return e.recorder.box.recording(nil)
}

// plainName is what is left of a text in the name of a file.
func plainName(text string) string {
	name := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, text)
	if name == "" {
		return "asked"
	}
	return name[:min(len(name), 40)]
}

// dumpFailure is called on the physics goroutine after it has failed.
func (b *blackBox) dumpFailure(f *buffer.Failure) {
	if b.opts.InMemory {
		return
	}
	why := "failure"
	var m *Mismatch
	switch {
	case errors.As(f, &m):
		why = "mismatch"
	case errors.Is(f, buffer.ErrGoexit):
		why = "exit"
	case !errors.Is(f, world.ErrInterrupted):
		why = "panic"
	}
	var failed *recordOp
	if b.trying.Dt > 0 { // so that the replay fails in the same way
		failed = &b.trying
	}
	path, err := b.dump(why, failed)
	defer func() { _ = recover() }()
	switch {
	case b.opts.OnDump != nil:
		b.opts.OnDump(path, err)
	case err != nil:
		slog.Error(err.Error())
	default:
		slog.Info("black box: wrote " + path)
	}
}
