package play

// Host is the program around a session, as the session sees it. It shows messages, knows the
// user's keys, calls functions between two frames, and watches engines.
type Host interface {
	Say(text string)  // Say shows a short message, such as the effect of a key.
	Warn(text string) // Warn shows an error for a longer time.

	// Ask warns that something would be lost. It reports whether the user has repeated the request
	// while the warning is shown. The parameter by says how to repeat the request: with a key, or
	// with "a click".
	Ask(by, text string) bool

	Key(action string) string // Key returns the first key of an action on the user's keyboard.

	// Later calls f between two frames. An error of f ends the run. Any goroutine may call Later.
	Later(f func() error)

	Started(p *Player, left bool)      // Started is called when a player runs. The parameter left is inLeft or inRight.
	Closing(p *Player) (closed func()) // Closing is called before a player is closed. The function closed is called afterwards.

	Scene(is SceneChange, of *SceneEntry) // Scene is called at each stage of the change from one scene to another.
}

// These are values of the parameter left of Started. An undivided picture counts as the left
// half.
const inLeft, inRight = true, false

// SceneChange is a stage of the change from one scene to another.
type SceneChange int

const (
	SceneAgain  SceneChange = iota // SceneAgain: the user restarts the open scene, which is then shown in its own view.
	SceneChosen                    // SceneChosen: the scene is about to replace the open scene.
	SceneOpened                    // SceneOpened: the player of the scene runs.
	SceneBegun                     // SceneBegun: the first states of the scene exist.
	SceneShown                     // SceneShown: the scene is shown instead of the scene before. The first scene of a run does not have this stage.
)
