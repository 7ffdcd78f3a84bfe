package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"halfstep/cmd/viewer/outfile"
	"halfstep/engine/rube"
	"halfstep/world"
)

// savedScene is the world as it is, as a scene to be written.
type savedScene struct{ *rube.Scene }

// goPackage is the name of the package of a scene that is written as Go code.
const goPackage = "scene"

// savedAs parses the value of -save.
func savedAs(path string) (string, error) {
	if isGo(path) || strings.EqualFold(filepath.Ext(path), ".json") || outfile.IsDevice(path) {
		return path, nil
	}
	return "", errors.New("must end in .json or .go")
}

func isGo(path string) bool { return strings.EqualFold(filepath.Ext(path), ".go") }

// sceneOf takes the scene of a world that makes so many steps per second. Physics goroutine.
func sceneOf(w *world.World, rate float64) savedScene {
	s := savedScene{rube.Of(w)}
	s.StepsPerSecond = rate
	return s
}

// write writes the scene in the format that the path ends in, to a new file or in place of an older one.
func (s savedScene) write(path string, ending <-chan struct{}) error {
	encode := s.JSON
	if isGo(path) {
		encode = func() ([]byte, error) { return s.Go(goPackage) }
	}
	data, err := encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return outfile.Replace(path, ending, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// without says in a line what the scene has not of its world, or nothing.
func (s savedScene) without() string {
	if len(s.LeftOut) == 0 {
		return ""
	}
	return "; not in it: " + strings.Join(s.LeftOut, ", ")
}

// saveScene writes the world that is shown to a new file, as soon as it has said what it is.
func (s *session) saveScene(ending string) {
	if s.playedRecording() != nil && s.playedRecording().States {
		s.say("only states were recorded: there is no world to save")
		return
	}
	s.letGo() // or the file would have what pulls
	rate, of, last := s.player.Rate().Float(), s.done, s.moments.last
	stored := func(path string) {
		if s.done == of { // no other scene was opened meanwhile
			s.moments.stored = last
		}
		if !isGo(path) {
			s.remembered(path)
		}
	}
	world.Ask(s.player.Commands, func(w *world.World) savedScene { return sceneOf(w, rate) }, func(_ uint64, scene savedScene) {
		path, err := outfile.Free("halfstep-%03d"+ending, "scenes")
		if err != nil {
			s.say(err.Error())
			return
		}
		s.files.wg.Add(1)
		go func() {
			defer s.files.wg.Done()
			if err := scene.write(path, nil); err != nil {
				os.Remove(path)
				s.wrote(path, err)
				return
			}
			s.queue.put(inputEvent{kind: messageInput, text: "wrote " + path + scene.without(), then: func() { stored(path) }})
		}()
	})
}

// saveAtEnd writes the file of -save, and says so in the summary.
func (v *viewer) saveAtEnd(scene savedScene) error {
	path := v.o.Save
	switch {
	case path == "":
		return nil
	case scene.Scene == nil:
		return fmt.Errorf("-save %s: there is no world at the end", path)
	}
	if err := scene.write(path, v.queue.quitting); err != nil {
		return err
	}
	v.summary += fmt.Sprintf("scene %s%s\n", path, scene.without())
	return nil
}
