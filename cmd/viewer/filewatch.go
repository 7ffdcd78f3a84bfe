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
	sc := &s.stage.scenes[s.stage.current]
	if sc.path == "" || sc.replay != nil || s.stage.o.Hidden {
		return
	}
	s.watching = &fileWatch{sc.path, make(chan struct{})}
	go s.watching.run(sc.stamp, func(sc *sceneEntry, err error) {
		s.host.later(func() error { return s.arrive(sc, err) })
	})
}

// unwatchFile ends what watchFile began.
func (s *session) unwatchFile() {
	if s.watching != nil {
		close(s.watching.quit)
		s.watching = nil
	}
}

// run looks at the file until quit is closed, and calls changed with the changed scene, or why it cannot be read. seen is the stamp of the version that is open. A change counts once the file
// has stayed the same for one look, because it may still be being written.
func (w *fileWatch) run(seen fileStamp, changed func(*sceneEntry, error)) {
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
			sc, err := readScene(w.path)
			select {
			case <-w.quit:
				return
			default:
				changed(sc, err)
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
