package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"halfstep/internal/scenes"
	"halfstep/world"
)

// filesCategory is the category of scenes from files.
const filesCategory scenes.Category = "Files"

// drop opens the first of the files that were dropped on the window. It is read
// on a goroutine of its own, so that no frame waits.
func (q *queue) drop(paths []string) {
	if len(paths) > 0 {
		go func() { q.put(readScene(paths[0])) }()
	}
}

// readScene reads a scene file and builds it once, so that a file that cannot be
// opened costs the user nothing.
func readScene(path string) inputEvent {
	sc, err := fileScene(path)
	if err == nil {
		c := sc.config()
		if err = c.World.Validate(); err == nil {
			s := world.NewSimulation(c.World)
			err = c.Setup(s.World())
			s.Close()
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", sc.name, err)
		}
	}
	if err != nil {
		return inputEvent{kind: sceneInput, text: err.Error()}
	}
	return inputEvent{kind: sceneInput, scene: &sc}
}

// openFile opens a scene that was read from a file, or says why it was not.
func (v *viewer) openFile(sc *sceneEntry, problem string) error {
	switch {
	case sc == nil:
		v.warn(problem)
		return nil
	case v.replay != nil:
		v.warn("a replay has the scene of its recording")
		return nil
	}
	at := slices.IndexFunc(v.scenes, func(s sceneEntry) bool { return s.path == sc.path })
	if at < 0 {
		at = 0
		v.scenes = slices.Insert(v.scenes, 0, *sc)
		v.current++
	}
	again := at == v.current
	v.scenes[at] = *sc
	if err := v.change(at); err != nil {
		return err
	}
	if v.panel.shown = -1; again {
		v.say(sc.name + " has changed and was opened again")
	}
	v.count("open file")
	return nil
}

// lookEvery is how often a scene file is looked at for changes.
const lookEvery = 500 * time.Millisecond

// fileWatch tells when the open scene file changes on the disk.
type fileWatch struct {
	path string
	quit chan struct{}
}

// watchFile watches the open scene's file, if it has one.
func (v *viewer) watchFile() {
	sc := &v.scenes[v.current]
	if sc.path == "" || v.o.Hidden {
		return
	}
	v.watching = &fileWatch{sc.path, make(chan struct{})}
	go v.watching.run(v.queue, sc.stamp)
}

// unwatchFile ends what watchFile began.
func (v *viewer) unwatchFile() {
	if v.watching != nil {
		close(v.watching.quit)
		v.watching = nil
	}
}

// run looks at the file until quit is closed. A change counts once the file has
// stayed the same for one look, because it may still be being written.
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

func stamp(path string) fileStamp {
	i, err := os.Stat(path)
	if err != nil {
		return fileStamp{size: -1}
	}
	return fileStamp{i.Size(), i.ModTime()}
}
