// Package b2state saves the state of a Box2D world, and restores it to the bit.
//
// A [Past] adds columns to a world's store: the values of the library's objects, by the numbers
// that a box.World gives them, and the links between these objects. A [State] has pages of
// values, which it shares with other States where nothing has changed. The cost of taking or
// restoring a State depends on how much differs.
//
// A State is restored into the same objects, so that pointers to them stay valid. The State's
// pointers keep alive the objects that have been destroyed since; objects that were created
// since are dropped.
//
// Bytes have the objects in the order of the library's lists. Reading them makes a world of new
// objects, whose State is taken like that of any other world.
package b2state
