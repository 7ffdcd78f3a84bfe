// Package netplay lets two to eight programs play in one world over a network: each of
// them simulates all of it, guesses what the other players do, and goes back when it has
// guessed wrong ([engine.Engine.Rollback]).
package netplay
