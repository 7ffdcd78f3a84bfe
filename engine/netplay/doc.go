// Package netplay lets two to eight programs play in one world over a network. Each
// program simulates the whole world, guesses the inputs of the other players, and goes
// back when a guess was wrong ([engine.History.Rollback]). The programs send inputs, and
// hashes of final ticks. A player who joins later gets a snapshot.
//
// [Host] and [Join] make a [Session], which makes the engine. Once a frame the game calls
// [Session.Update] with the input of its player, then Frame of the engine:
//
//	if err := s.Update(input); err != nil {
//		return err // the match is over
//	}
//	if e := s.Engine(); e != nil { // a guest has none until the host has answered
//		draw(e.Frame())
//	}
//
// [Options.Apply] turns the inputs of all players at a tick into commands. The state of
// callbacks must go back in time with the world (world.World.Keep).
//
// Guests send their inputs to the host, and get the inputs of all others from the host.
// docs/netplay.md has a whole program, and explains lines, tokens and costs.
package netplay
