// Package b2state keeps what a Box2D world was, and puts it back to the bit.
//
// A [Past] adds columns to a world's store: the values of the library's objects, by the numbers
// that a box.World gives them, and the links between these objects. A [State] has pages of
// values, which it shares with others where nothing has changed. Taking it and putting it back
// cost what differs.
//
// Putting it back writes the values into the same objects, so that whoever points to one still
// does. What was destroyed since then lives on by the State's pointer; what was created since
// then is dropped.
//
// Bytes have the objects in the order of the library's lists. Reading them makes a world of new
// objects, of which a State is taken as of any other.
package b2state
