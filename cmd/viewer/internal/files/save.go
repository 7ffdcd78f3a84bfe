package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine/rube"
	"halfstep/world"
)

// SavedScene is the present world as a scene that can be written to a file.
type SavedScene struct{ *rube.Scene }

// goPackage is the name of the package of a scene that is written as Go code.
const goPackage = "scene"

// SavedAs parses the value of -save.
func SavedAs(path string) (string, error) {
	if isGo(path) || strings.EqualFold(filepath.Ext(path), ".json") || outfile.IsDevice(path) {
		return path, nil
	}
	return "", errors.New("must end in .json or .go")
}

func isGo(path string) bool { return strings.EqualFold(filepath.Ext(path), ".go") }

// SceneOf describes a world as a scene. The parameter rate is in steps per second. Only the physics
// goroutine may call it.
func SceneOf(w *world.World, rate float64) SavedScene {
	s := SavedScene{rube.Of(w)}
	s.StepsPerSecond = rate
	return s
}

// Shows sets the first view of the scene.
func (s SavedScene) Shows(at scenes.View) {
	s.Properties = append(s.Properties, rube.Property{Name: play.ViewCentre, Value: world.Vec{X: at.X, Y: at.Y}},
		rube.Property{Name: play.ViewSize, Value: world.Vec{X: at.Width, Y: at.Height}})
}

// Write writes the scene in the format that the suffix of the path gives. It makes a new file, or
// replaces an older one.
func (s SavedScene) Write(path string) error {
	encode := s.JSON
	if isGo(path) {
		encode = func() ([]byte, error) { return s.Go(goPackage) }
	}
	data, err := encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return outfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Without returns a message about the parts of the world that the scene cannot describe, or "".
func (s SavedScene) Without() string {
	if len(s.LeftOut) == 0 {
		return ""
	}
	return "; not in it: " + strings.Join(s.LeftOut, ", ")
}

// SaveScene writes the shown world to a new file, once physics has described the world. At that
// moment view is called; it returns the view for the scene.
func SaveScene(s *play.Session, ending string, view func() scenes.View) {
	if s.Stage.Shown.Recording != nil && s.Stage.Shown.Recording.States {
		s.Host.Say("only states were recorded: there is no world to save")
		return
	}
	s.Stage.EndDrag()                                                                     // otherwise the file would have the joint by which the user drags a body
	rate, of, last := s.Stage.Player.Rate().Float(), s.Stage.Done, s.Changes.Moments.Last // another scene has another Done
	listed := ""
	if ending == ".json" {
		listed = "; the list of scenes begins with it"
	}
	stored := func(path string) {
		if s.Stage.Done == of { // no other scene was opened in the meantime
			s.Changes.Moments.Stored = last // changes up to that moment are saved
		}
		if listed != "" {
			s.Recents.Add(path)
		}
	}
	world.Ask(s.Stage.Player.Commands, func(w *world.World) SavedScene { return SceneOf(w, rate) }, func(_ uint64, scene SavedScene) {
		scene.Shows(view())
		path, err := outfile.Free("halfstep-%03d"+ending, "scenes")
		if err != nil {
			s.Host.Warn(play.NotSaved(err))
			return
		}
		s.Files.Do(func() {
			if err := scene.Write(path); err != nil {
				os.Remove(path)
				s.Files.ReportWritten(path, err)
				return
			}
			s.Host.Later(func() error {
				s.Host.Warn("wrote " + path + listed + scene.Without())
				stored(path)
				return nil
			})
		})
	})
}
