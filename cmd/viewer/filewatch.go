package main

import (
	"os"
	"time"
)

// lookEvery is the time between two looks at a scene file.
const lookEvery = 500 * time.Millisecond

// fileWatch tells when the open scene file changes on the disk.
type fileWatch struct {
	path string
	quit chan struct{}
}

// watchFile watches the file of the open scene, if it has one, in place of the one before. sc.stamp is
// the stamp of the file when it was read.
func (s *session) watchFile() {
	s.unwatchFile()
	sc := &s.scenes[s.current]
	if sc.path == "" || sc.replay != nil || s.o.Hidden {
		return
	}
	s.watching = &fileWatch{sc.path, make(chan struct{})}
	go s.watching.run(s.queue, sc.stamp)
}

// unwatchFile ends what watchFile began.
func (s *session) unwatchFile() {
	if s.watching != nil {
		close(s.watching.quit)
		s.watching = nil
	}
}

// run looks at the file until quit is closed, and puts the changed scene into the queue, from which the
// render thread opens it. seen is the stamp of the version that is open. A change counts once the file
// has stayed the same for one look, because it may still be being written.
func (w *fileWatch) run(q *queue, seen fileStamp) {
	last := seen
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-tick.C:
		}
		now := stamp(w.path)
		if now != seen && now == last && now.size >= 0 {
			seen = now
			e := readScene(w.path)
			select {
			case <-w.quit:
				return
			default:
				q.put(e)
			}
		}
		last = now
	}
}

// fileStamp changes when a file does.
type fileStamp struct {
	size int64
	at   time.Time
}

// stamp returns the stamp of a file. If there is no file, its size is -1.
func stamp(path string) fileStamp {
	i, err := os.Stat(path)
	if err != nil {
		return fileStamp{size: -1}
	}
	return fileStamp{i.Size(), i.ModTime()}
}
