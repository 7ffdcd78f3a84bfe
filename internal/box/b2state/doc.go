// Package b2state saves the state of a Box2D world, and restores it to the bit.
//
// A [Past] adds columns to a world's store: the values of the library's objects, by the numbers
// that a box.World gives them, and the links between these objects. A [State] has pages of
// values, which it shares with other States where nothing has changed. The cost of taking or
// restoring a State depends on how much differs.
//
// A State is restored into the same objects, so that pointers to them stay valid. Objects that
// were destroyed after the State was taken come back, because the State still refers to them.
// Objects that were created later are dropped.
//
// In the form of bytes, a State has its objects in the order of the library's lists. A reader
// makes a world of new objects from them, and takes a State of that world.
package b2state
