package play

import (
	"slices"

	"halfstep/engine"
	"halfstep/world"
)

// Read reads a scene file or a recording on another goroutine, so that no frame waits. It then opens the
// scene.
func (s *Session) Read(path string) {
	go func() {
		sc, err := ReadScene(path)
		s.Host.Later(func() error { return s.Arrive(sc, err) })
	}()
}

// Arrive opens a scene that was read or joined on another goroutine. If err is not nil, it shows the user the
// error.
func (s *Session) Arrive(sc *SceneEntry, err error) error {
	if err != nil {
		s.Host.Warn(err.Error())
		return nil
	}
	return s.OpenFile(sc)
}

// OpenFile opens a scene that was read from a file, or the recording of a watched program. The scene
// replaces an entry of the list with the same path. If there is none, it becomes the first entry.
func (s *Session) OpenFile(sc *SceneEntry) error {
	if err := sc.refused(s.Stage.Options.Strict); err != nil {
		s.Host.Warn(err.Error())
		return nil
	}
	return s.Changes.LeaveScene("opening it", func() error {
		if sc.address() == "" {
			s.Recents.Add(sc.Path)
		}
		at := slices.IndexFunc(s.Stage.Scenes, func(s SceneEntry) bool { return s.Path == sc.Path })
		if at < 0 {
			at = 0
			s.Stage.Scenes = slices.Insert(s.Stage.Scenes, 0, *sc)
			s.Stage.Current++ // the open scene has moved down in the list
		}
		again := at == s.Stage.Current
		s.Stage.Scenes[at] = *sc
		if err := s.ChangeScene(at); err != nil {
			return err
		}
		s.Arrived++
		if again && sc.watch == nil && sc.Replay == nil { // for a watched program there is a longer message
			s.Host.Say(sc.Name + " has changed and was opened again")
		}
		if sc.Note != "" {
			s.Host.Warn(sc.Note)
		}
		s.Uses.Count("open file")
		return nil
	})
}

// ReadScene reads a scene file or a recording. It also builds the scene once, so that a file with errors does
// not replace the open scene.
func ReadScene(path string) (*SceneEntry, error) {
	read, try := fileScene, (*SceneEntry).tryBuilding
	if IsRecording(path) {
		read = func(path string) (SceneEntry, error) { return ReplayScene(path, growingToo) }
		try = (*SceneEntry).tryPlaying
	}
	sc, err := read(path)
	if err == nil {
		if err = try(&sc); err != nil && sc.watch != nil { // a recording that is still being written was kept open
			sc.watch.from.Close()
		}
	}
	return &sc, err
}

// tryBuilding builds the world of a scene file to find its errors, and closes the world again.
func (sc *SceneEntry) tryBuilding() error {
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

// tryPlaying makes a player of a recording to find its errors, and closes the player again.
func (sc *SceneEntry) tryPlaying() error {
	p, err := sc.Replay.Player(sc.Config().Setup, engine.PlayerOptions{Memory: -1}) // with -1 there are no keyframes, which are not needed because there are no seeks
	if err == nil {
		p.Close()
	}
	return err
}
