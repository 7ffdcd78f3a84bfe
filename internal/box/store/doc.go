// Package store keeps the states of a world at several times. Each costs only what has changed
// since the state before.
//
// # Stamps say what has changed
//
// [stamps.Stamps] have a serial for each thing of a kind: each body, each contact. Whoever changes a
// thing marks it, and it gets the serial of now. Whoever keeps up with the things remembers the
// serial at which it looked last, and asks what has changed since. Any number of others can ask,
// nobody has to clear anything, and nobody has to know who else asks.
//
// # Columns say what is kept
//
// A [Column] is one kind of value that each thing of a kind has: the position of each body, the
// links of each contact. It consists of the Stamps of its things and of two functions. Save
// writes what things are, and Load makes a thing what it was. Where what changes a thing does not mark
// it, Follow does. Whoever has something to keep adds
// a column to the world's [Store], and need not know of the other columns. They are added in the
// order in which they must be loaded: which contacts there are before what these contacts hold.
//
//	s.contacts = store.Add(to, &store.Column[contact]{Stamps: &d.Contacts, Save: s.save, Load: s.load})
//
// # A State is what all columns had
//
// The Store has a table for each column, which holds the values as of the last [State]. To take
// a State is to save what has changed into these tables ([Store.Take]), and to let the State
// share them. To go back to one ([Store.Put]) is to load the values that differ: those on pages
// that are not the same, and those of what has changed since.
//
// A table is a tree. At its leaves are pages of four values, and where nearly all pages of sixteen
// side by side are written they are one block, which costs less. Nodes, pages and blocks count
// their users, the tables and nodes that point to them. What has one user is written in place.
// What has several is copied first, so that what was shared does not change. What has none any
// longer is used again, so that nothing is allocated in the steady state.
//
// So a State of a world of which a tenth moves takes a tenth of the time and of the memory, and
// two States differ by a look at the pages that they do not share.
//
// # Who may call
//
// A Store and its States belong to one goroutine. Others may read a State meanwhile, while it
// is neither taken anew nor dropped.
package store
