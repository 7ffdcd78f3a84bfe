// Package netplay lets two to eight programs play in one world over a network. Each of
// them simulates all of it, guesses what the other players do, and goes back when it has
// guessed wrong ([engine.History.Rollback]). What is sent are inputs, and
// hashes of final ticks; who joins later gets a snapshot.
//
// [Host] and [Join] make a [Session], which makes the engine. Once a frame the game calls
// [Session.Update] with what its player does, then Frame of the engine:
//
//	if err := s.Update(input); err != nil {
//		return err // the match is over
//	}
//	if e := s.Engine(); e != nil { // a guest has none until the host has answered
//		draw(e.Frame())
//	}
//
// [Options.Apply] turns the inputs of all players at a tick into commands. Whatever
// callbacks remember must go back with the world (world.World.Keep).
//
// The host is in the middle: guests send their inputs to it and get those of all others
// from it. docs/netplay.md has a whole program, and what to know about lines, tokens and
// costs.
package netplay
