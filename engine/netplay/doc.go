// Package netplay lets two to eight programs play in one world over a network. Each program
// simulates the whole world. It guesses inputs of other players that have not arrived, and goes
// back when a guess was wrong ([engine.History.Rollback]). The programs send each other inputs and
// hashes of final ticks. A player who joins later gets a snapshot.
//
// [Host] and [Join] make a [Session], and the Session makes the engine. In each frame the game
// calls [Session.Update] with the input of its player, and then Engine.Frame:
//
//	if err := s.Update(input); err != nil {
//		return err // the match is over
//	}
//	if e := s.Engine(); e != nil { // a guest has none until the host has answered
//		draw(e.Frame())
//	}
//
// [Options.Apply] turns the inputs of all players at a tick into commands. State that callbacks
// keep outside the world must be registered with world.World.Keep.
//
// A guest sends its inputs to the host, and gets the inputs of all other players from the host.
// docs/netplay.md has a whole program, and explains lines, tokens and costs.
package netplay
