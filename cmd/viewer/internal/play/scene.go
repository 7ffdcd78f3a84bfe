package play

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
)

// SceneEntry is an entry of the list of scenes. It is a built-in scene, or an opened scene file,
// recording or watched program.
type SceneEntry struct {
	scenes.Scene
	Row    string            // Row is the name of the entry's row in the panel.
	data   []byte            // data is the scene file, which a recording includes. It is nil for a built-in scene.
	Replay *engine.Recording // Replay is nil if the entry is not a recording.
	watch  *Watch            // watch is the source of a recording in progress, or nil.
	Note   string            // Note is a message for the user, for example that some fixtures of the file were left out, or "".
	// foreign marks a recording of a scene that is not built in. Its program may have code that the
	// viewer does not have.
	foreign bool

	Path  string    // Path is the file or the address of the entry. It is "" for a built-in scene.
	Full  string    // the absolute path
	stamp fileStamp // stamp is the size and the time of the file before it was read. It serves to detect changes.
}

// BuiltIn returns the built-in scenes by category, in the order in which the panel lists them.
func BuiltIn() (all []SceneEntry) {
	list := scenes.All()
	scenes.ByCategory(list)
	for _, s := range list {
		all = append(all, SceneEntry{Scene: s, Row: "scene " + s.Name})
	}
	return all
}

// OpenScenes returns all scenes, and the index of the first scene to open. This is the scene of a
// file, or a built-in scene. If strict is true, a file is refused if some of its fixtures would be
// left out.
func OpenScenes(scene, file string, strict bool) (all []SceneEntry, first int, err error) {
	if all = BuiltIn(); file == "" {
		first = slices.IndexFunc(all, func(s SceneEntry) bool { return s.Name == scene })
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

// refused returns the error of -strict for a scene file, or nil.
func (sc *SceneEntry) refused(strict bool) error {
	if strict && sc.Note != "" {
		return errors.New(sc.Note)
	}
	return nil
}

// leftOutOf returns the message about the parts of a scene file that are left out. The list lines
// has a line for each part.
func leftOutOf(path string, lines []string) string {
	switch n := len(lines); n {
	case 0:
		return ""
	case 1:
		return path + ": left out: " + lines[0]
	default:
		return fmt.Sprintf("%s: %d things are left out; the first is %s", path, n, lines[0])
	}
}

// fileScene reads a file of R.U.B.E. or of b2World::Dump. Flags can replace the step rate of the
// file.
func fileScene(path string) (SceneEntry, error) {
	asRead := stamp(path) // take the stamp before reading, so that no change is missed
	file, err := rube.ReadFile(path)
	if err != nil {
		if IsRecording(path) {
			err = fmt.Errorf("%s is a recording, not a scene: open it with viewer -replay", path)
		}
		return SceneEntry{}, err
	}
	rate := clock.Hz(60)
	if file.StepsPerSecond > 0 {
		if rate, err = clock.RateOf(file.StepsPerSecond); err == nil {
			_, err = clock.New(rate) // New refuses a rate out of range
		}
		if err != nil {
			return SceneEntry{}, fmt.Errorf("%s: stepsPerSecond: %w", path, err)
		}
	}
	config := func() engine.Config {
		return engine.Config{World: file.World, Time: engine.Time{Rate: rate}, Setup: file.Build}
	}
	full, _ := filepath.Abs(path)
	return SceneEntry{
		Scene: scenes.Scene{Name: words.Printable(filepath.Base(path)), Description: words.Printable(path), Category: filesCategory, Config: config, View: viewOf(file)},
		Row:   "scene " + path, Path: path, Full: full, stamp: asRead, data: file.Source, Note: leftOutOf(path, file.LeftOut),
	}, nil
}

// IsRecording reports whether a file begins as a recording does, even if the file is damaged or was
// cut off in its first bytes. A pipe does not count as a recording, because its bytes cannot be read
// twice.
func IsRecording(path string) bool {
	if outfile.IsDevice(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(history.Magic)-len("1\n")) // the magic word without the version of the format
	n, _ := io.ReadFull(f, head)
	return (n > 0 || filepath.Ext(path) == ".rec") && strings.HasPrefix(history.Magic, string(head[:n]))
}

// These are the categories of scenes that were opened from files.
const (
	filesCategory      scenes.Category = "Files"
	recordingsCategory scenes.Category = "Recordings"
)

// named adds the name of the scene or of its file to an error. It does so only once.
func (sc *SceneEntry) named(err error) error {
	if _, what, ok := strings.Cut(err.Error(), sc.Path+": "); ok && sc.Path != "" {
		return fmt.Errorf("%s: %s", sc.Path, what) // the errors of a scene file already contain its name
	}
	return fmt.Errorf("%s: %w", sc.Name, err)
}

// These are the custom properties of a scene file in which the viewer stores the view, in m.
const (
	ViewCentre = "viewer.centre"
	ViewSize   = "viewer.size"
)

// viewOf returns the first view of a scene. The zero View shows all bodies.
func viewOf(s *rube.Scene) (v scenes.View) {
	at, _ := s.Properties.Vec(ViewCentre)
	if size, _ := s.Properties.Vec(ViewSize); size.X > 0 && size.Y > 0 && size.X < farAway && size.Y < farAway { // a larger view is a mistake in the file
		v = scenes.View{X: at.X, Y: at.Y, Width: size.X, Height: size.Y}
	}
	return v
}

// Listed returns the name of the entry in the list. It is the address of a watched program, the
// file name of a recording, or the name of a scene.
func (sc *SceneEntry) Listed() string {
	if url := sc.address(); url != "" {
		return words.Printable(url)
	}
	if sc.Replay != nil {
		return words.Printable(filepath.Base(sc.Path))
	}
	return sc.Name
}
