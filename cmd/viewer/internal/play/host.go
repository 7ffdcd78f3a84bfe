package play

// Host is what the session needs of the program around it: somebody who shows messages, knows the
// user's keys, makes calls between two frames, and watches engines.
type Host interface {
	Say(text string)  // shows a short message, such as what a key has changed
	Warn(text string) // shows an error for longer

	// Ask warns that something would be lost, and reports whether the user has asked for it once more
	// while the warning is shown. by is what to do once more: a key, or "a click".
	Ask(by, text string) bool

	Key(action string) string // the first key of an action, as the user's keyboard has it

	// Later has f called between two frames. Its error ends the run. Any goroutine may call Later.
	Later(f func() error)

	Started(p *Player, left bool)      // a player runs: inLeft or inRight
	Closing(p *Player) (closed func()) // it is about to be closed; closed is called when it is

	Scene(is SceneChange, of *SceneEntry) // a step of the way from one scene to another
}

// Values of Started's parameter left. The only picture counts as the left half.
const inLeft, inRight = true, false

// SceneChange is a step of the way from one scene to another.
type SceneChange int

const (
	SceneAgain  SceneChange = iota // the user restarts the open scene: it is to be shown in its own view
	SceneChosen                    // it is about to be opened in place of the open one
	SceneOpened                    // it runs
	SceneBegun                     // its first states are there
	SceneShown                     // the user sees it in place of the one before; not the first scene of the run
)
