package main

// host is what the session needs of the program around it: somebody who shows messages, knows the
// user's keys, makes calls between two frames, and watches engines.
type host interface {
	say(text string)  // shows a short message, such as what a key has changed
	warn(text string) // shows an error for longer

	// ask warns that something would be lost, and reports whether the user has asked for it once more
	// while the warning is shown. by is what to do once more: a key, or "a click".
	ask(by, text string) bool

	key(action string) string // the first key of an action, as the user's keyboard has it

	// later has f called between two frames. Its error ends the run. Any goroutine may call later.
	later(f func() error)

	started(p *player, left bool)      // an engine runs, in the left or only half of the picture or in the right one
	closing(p *player) (closed func()) // it is about to be closed; closed is called when it is

	scene(is sceneChange, of *sceneEntry) // a step of the way from one scene to another
}

// sceneChange is a step of the way from one scene to another.
type sceneChange int

const (
	sceneAgain  sceneChange = iota // the user restarts the open scene: it is to be shown in its own view
	sceneChosen                    // it is about to be opened in place of the open one
	sceneOpened                    // it runs
	sceneBegun                     // its first states are there
	sceneShown                     // the user sees it in place of the one before; not the first scene of the run
)
