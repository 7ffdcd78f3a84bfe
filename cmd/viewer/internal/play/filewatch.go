package play

import (
	"os"
	"time"
)

// lookEvery is the time between two checks of a scene file.
const lookEvery = 500 * time.Millisecond

// fileWatch detects changes of the open scene's file on the disk.
type fileWatch struct {
	path string
	Quit chan struct{}
}

// watchFile watches the file of the open scene, if the scene has one. The file of the scene that
// was open before is watched no longer.
func (s *Session) watchFile() {
	s.unwatchFile()
	sc := s.Stage.Scene()
	if sc.Path == "" || sc.Replay != nil || s.Stage.Options.Hidden { // without a window nobody sees that the scene changes
		return
	}
	s.Watching = &fileWatch{sc.Path, make(chan struct{})}
	go s.Watching.run(sc.stamp, func(sc *SceneEntry, err error) {
		s.Host.Later(func() error { return s.Arrive(sc, err) })
	})
}

// unwatchFile undoes watchFile.
func (s *Session) unwatchFile() {
	if s.Watching != nil {
		close(s.Watching.Quit)
		s.Watching = nil
	}
}

// run checks the file until Quit is closed. When the file has changed, run calls changed with the
// changed scene, or with the error in reading the file. The parameter seen is the stamp of the open
// version. A change counts once two checks agree, because a program may still be writing the file.
func (w *fileWatch) run(seen fileStamp, changed func(*SceneEntry, error)) {
	last := seen
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.Quit:
			return
		case <-tick.C:
		}
		now := stamp(w.path)
		if now != seen && now == last && now.size >= 0 { // a missing file may reappear
			seen = now
			sc, err := ReadScene(w.path)
			select {
			case <-w.Quit:
				return
			default:
				changed(sc, err)
			}
		}
		last = now
	}
}

// fileStamp is a value that changes when a file changes.
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
