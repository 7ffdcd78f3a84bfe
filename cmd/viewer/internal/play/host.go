package play

// Host has the parts of the program around a session: it shows messages, knows the user's keys,
// makes calls between two frames, and watches engines.
type Host interface {
	Say(text string)  // shows a short message, such as the effect of a key
	Warn(text string) // shows an error for longer

	// Ask warns that something would be lost, and reports whether the user has repeated his request
	// while the warning is shown. by names how to repeat it: a key, or "a click".
	Ask(by, text string) bool

	Key(action string) string // the first key of an action, as the user's keyboard has it

	// Later calls f between two frames. An error of f ends the run. Any goroutine may call Later.
	Later(f func() error)

	Started(p *Player, left bool)      // a player runs: inLeft or inRight
	Closing(p *Player) (closed func()) // it is about to be closed; closed is called afterwards

	Scene(is SceneChange, of *SceneEntry) // a stage of the way from one scene to another
}

// values of Started's parameter left; the only picture counts as the left half
const inLeft, inRight = true, false

// SceneChange is a stage of the way from one scene to another.
type SceneChange int

const (
	SceneAgain  SceneChange = iota // the user restarts the open scene, which is shown in its own view
	SceneChosen                    // it is about to replace the open one
	SceneOpened                    // it runs
	SceneBegun                     // its first states are there
	SceneShown                     // it is shown in place of the one before; not for the first scene of the run
)
