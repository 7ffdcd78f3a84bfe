// Package store keeps the states of a world at several times. The time and memory for a state depend
// only on what has changed since the state before.
//
// # Stamps mark changes
//
// [stamps.Stamps] have a serial number for each object of a kind, such as each body or each contact.
// Code that changes an object marks it, and the object gets the present serial. Code that follows the
// objects stores the serial of its last look, and asks for the changes since that serial. Any number
// of followers can ask. No follower needs to clear anything or to know the others.
//
// # Columns have the values
//
// A [Column] is one value that each object of a kind has, such as the position of each body or the
// links of each contact. A column consists of the Stamps of its objects and of two functions. Save
// writes the values of objects, and Load restores the value of an object. If code changes objects
// without a mark, the function Follow marks them later. A part of the world that wants values saved
// adds a column to the world's [Store]. It need not know the other columns. Columns must be added in
// the order in which they must be loaded: the existence of contacts before the contents of contacts.
//
//	s.contacts = store.Add(to, &store.Column[contact]{Stamps: &d.Contacts, Save: s.save, Load: s.load})
//
// # A State has the values of all columns
//
// The Store has a table for each column, with the values of the last [State]. [Store.Take] saves the
// changed values to these tables, and makes the State share them. [Store.Put] goes back to a State. It
// loads the values that differ: those on pages that are not shared, and those of objects that have
// changed since the last State.
//
// A table is a tree. At its leaves are pages of four values. If nearly all of sixteen neighbouring
// pages are written, they become one block, which takes less time. Nodes, pages and blocks count their
// users: the tables and nodes that point to them. A page with one user is written in place. A page
// with several users is copied before a write, so that the other users see no change. A page without
// users is used again, so that a world that runs for long allocates nothing.
//
// So if a tenth of a world moves, a State takes a tenth of the time and of the memory, and a
// comparison of two States looks only at the pages that they do not share.
//
// # Who may call
//
// A Store and its States belong to one goroutine. Other goroutines may read a State, as long as the
// owner does not take the State again or drop it.
package store
