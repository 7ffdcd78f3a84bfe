package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/outfile"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/internal/history"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// sceneEntry is an entry of the list of scenes: a built-in scene, or a scene file, a recording or a
// watched program that was opened.
type sceneEntry struct {
	scenes.Scene
	row    string // the name of its row in the panel
	data   []byte // the scene file, which a recording includes
	replay *engine.Recording
	watch  *watch // the source of a recording that is still being written, or nil
	note   string // for the user, such as which fixtures of the file were left out; or ""
	// foreign is set for a recording of a scene that is not built in: the program that made it
	// may have code that the viewer does not have.
	foreign bool

	path  string    // its file or address; "": it is built in
	full  string    // the absolute path
	stamp fileStamp // size and time of the file before it was read; see watchFile
}

// builtIn returns the built-in scenes by category, in the order in which the panel lists them.
func builtIn() (all []sceneEntry) {
	list := scenes.All()
	scenes.ByCategory(list)
	for _, s := range list {
		all = append(all, sceneEntry{Scene: s, row: "scene " + s.Name})
	}
	return all
}

// openScenes returns all scenes, and the index of the one to start with: the one in a file, or a built-in
// one. strict refuses a file with fixtures that would be left out.
func openScenes(scene, file string, strict bool) (all []sceneEntry, first int, err error) {
	if all = builtIn(); file == "" {
		first = slices.IndexFunc(all, func(s sceneEntry) bool { return s.Name == scene })
		if first < 0 {
			return nil, 0, fmt.Errorf("no scene %q", scene)
		}
		return all, first, nil
	}
	s, err := fileScene(file)
	if err == nil {
		err = s.refused(strict)
	}
	if err != nil {
		return nil, 0, err
	}
	return slices.Insert(all, 0, s), 0, nil
}

// refused returns why -strict refuses a scene file, or nil.
func (sc *sceneEntry) refused(strict bool) error {
	if strict && sc.note != "" {
		return errors.New(sc.note)
	}
	return nil
}

// leftOutOf says which fixtures of a scene file are left out, one of the lines for each.
func leftOutOf(path string, lines []string) string {
	switch n := len(lines); n {
	case 0:
		return ""
	case 1:
		return path + ": left out: " + lines[0]
	default:
		return fmt.Sprintf("%s: left out are %d fixtures, the first of which is %s", path, n, lines[0])
	}
}

// fileScene reads a R.U.B.E. file. Flags override its step rate.
func fileScene(path string) (sceneEntry, error) {
	stamp := stamp(path) // before it is read, so that no change is missed
	file, err := rube.ReadFile(path)
	if err != nil {
		if isRecording(path) {
			err = fmt.Errorf("%s is a recording, not a scene: open it with viewer -replay", path)
		}
		return sceneEntry{}, err
	}
	rate := clock.Hz(60)
	if file.StepsPerSecond > 0 {
		if rate, err = clock.RateOf(file.StepsPerSecond); err == nil {
			_, err = clock.New(rate)
		}
		if err != nil {
			return sceneEntry{}, fmt.Errorf("%s: stepsPerSecond: %w", path, err)
		}
	}
	config := func() engine.Config {
		return engine.Config{World: file.World, Time: engine.Time{Rate: rate}, Setup: file.Build}
	}
	full, _ := filepath.Abs(path)
	return sceneEntry{
		Scene: scenes.Scene{Name: words.Printable(filepath.Base(path)), Description: words.Printable(path), Category: filesCategory, Config: config, View: viewOf(file)},
		row:   "scene " + path, path: path, full: full, stamp: stamp, data: file.Source, note: leftOutOf(path, file.LeftOut),
	}, nil
}

// isRecording reports whether a file begins as a recording does, even if it is damaged or cut off in
// its first bytes. A pipe cannot be looked into, so it counts as none.
func isRecording(path string) bool {
	if outfile.IsDevice(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(history.Magic)-len("1\n")) // without the version of the format
	n, _ := io.ReadFull(f, head)
	return (n > 0 || filepath.Ext(path) == ".rec") && strings.HasPrefix(history.Magic, string(head[:n]))
}

// The categories of scenes that were opened from files.
const (
	filesCategory      scenes.Category = "Files"
	recordingsCategory scenes.Category = "Recordings"
)

// read reads a scene file or a recording on another goroutine, so that no frame waits, and then opens it.
func (s *session) read(path string) {
	go func() {
		sc, err := readScene(path)
		s.host.later(func() error { return s.arrive(sc, err) })
	}()
}

// arrive opens a scene that was read or joined on another goroutine, or says why it could not be.
func (s *session) arrive(sc *sceneEntry, err error) error {
	if err != nil {
		s.host.warn(err.Error())
		return nil
	}
	return s.openFile(sc)
}

// readScene reads a scene file or a recording and builds it once, so that a file that
// cannot be opened costs the user nothing.
func readScene(path string) (*sceneEntry, error) {
	read, try := fileScene, (*sceneEntry).tryBuilding
	if isRecording(path) {
		read = func(path string) (sceneEntry, error) { return replayScene(path, growingToo) }
		try = (*sceneEntry).tryPlaying
	}
	sc, err := read(path)
	if err == nil {
		if err = try(&sc); err != nil && sc.watch != nil {
			sc.watch.from.Close()
		}
	}
	return &sc, err
}

// tryBuilding builds the world of a scene file, to find its errors, and closes it again.
func (sc *sceneEntry) tryBuilding() error {
	c := sc.Config()
	err := c.World.Validate()
	if err == nil {
		s := world.NewSimulation(c.World)
		err = c.Setup(s.World())
		s.Close()
	}
	if err != nil {
		err = sc.named(err)
	}
	return err
}

// named returns an error with the name of the scene or its file, once.
func (sc *sceneEntry) named(err error) error {
	if _, what, ok := strings.Cut(err.Error(), sc.path+": "); ok && sc.path != "" {
		return fmt.Errorf("%s: %s", sc.path, what) // a scene file's own errors name it
	}
	return fmt.Errorf("%s: %w", sc.Name, err)
}

// tryPlaying makes a player of a recording, to find its errors, and closes it again.
func (sc *sceneEntry) tryPlaying() error {
	p, err := sc.replay.Player(sc.Config().Setup, engine.PlayerOptions{Memory: -1}) // no keyframes
	if err == nil {
		p.Close()
	}
	return err
}

// openFile opens a scene that was read from a file.
func (s *session) openFile(sc *sceneEntry) error {
	if err := sc.refused(s.stage.o.Strict); err != nil {
		s.host.warn(err.Error())
		return nil
	}
	return s.changes.leaveScene("opening it", func() error {
		if sc.address() == "" {
			s.recents.add(sc.path)
		}
		at := slices.IndexFunc(s.stage.scenes, func(s sceneEntry) bool { return s.path == sc.path })
		if at < 0 {
			at = 0
			s.stage.scenes = slices.Insert(s.stage.scenes, 0, *sc)
			s.stage.current++
		}
		again := at == s.stage.current
		s.stage.scenes[at] = *sc
		if err := s.changeScene(at); err != nil {
			return err
		}
		s.arrived++
		if again && sc.watch == nil && sc.replay == nil { // startFollowing has said more of a watched program
			s.host.say(sc.Name + " has changed and was opened again")
		}
		if sc.note != "" {
			s.host.warn(sc.note)
		}
		s.uses.count("open file")
		return nil
	})
}

// The custom properties of a scene file in which the viewer keeps the view, in m.
const (
	viewCentre = "viewer.centre"
	viewSize   = "viewer.size"
)

// viewOf returns the view with which a scene opens. The zero View shows all bodies.
func viewOf(s *rube.Scene) (v scenes.View) {
	at, _ := s.Properties.Vec(viewCentre)
	if size, _ := s.Properties.Vec(viewSize); size.X > 0 && size.Y > 0 && size.X < farAway && size.Y < farAway {
		v = scenes.View{X: at.X, Y: at.Y, Width: size.X, Height: size.Y}
	}
	return v
}

// listed is the name that the list shows: the address of a watched program, the file name of a
// recording, or else the name of the scene.
func (sc *sceneEntry) listed() string {
	if url := sc.address(); url != "" {
		return words.Printable(url)
	}
	if sc.replay != nil {
		return words.Printable(filepath.Base(sc.path))
	}
	return sc.Name
}
