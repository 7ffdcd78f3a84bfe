// Package b2state copies the state of a Box2D world, and puts it back to the
// bit.
//
// A [State] holds the values of the library's objects beside pointers to these
// objects. Putting it back writes the values into the same objects, so that
// whoever points to one still does. What was destroyed since then lives on by
// the State's pointer; what was created since then is dropped.
//
// The lists that link objects are not copied but follow from the order of the
// tables: the library puts a new body, contact or joint at the head of every
// list that it enters, so all lists run newest first.
//
// Where a box.World knows what has changed, a [Past] is shared by the States of a
// world: a State then has pages of values, which it shares with those before it where
// nothing has changed, and the links are among the values. Taking it and putting it
// back cost what differs. As bytes it is the same as one that shares nothing.
package b2state
