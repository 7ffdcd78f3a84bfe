// Package store keeps the states of a world at several times. Each state costs only the changes since
// the state before.
//
// # Stamps mark changes
//
// [stamps.Stamps] have a serial for each thing of a kind: each body, each contact. Code that changes a
// thing marks it, and the thing gets the present serial. Code that follows the things remembers the
// serial of its last look, and asks for the changes since. Any number of followers can ask. None must
// clear anything, and none must know of the others.
//
// # Columns have the values
//
// A [Column] is one kind of value that each thing of a kind has: the position of each body, the links
// of each contact. It consists of the Stamps of its things and of two functions. Save writes the
// values of things, and Load restores the value of a thing. If code changes things without marking
// them, the function Follow marks them. A part with values to keep adds a column to the world's
// [Store], and need not know of the other columns. Columns are added in the order in which they must
// be loaded: the existence of contacts before the contents of contacts.
//
//	s.contacts = store.Add(to, &store.Column[contact]{Stamps: &d.Contacts, Save: s.save, Load: s.load})
//
// # A State has the values of all columns
//
// The Store has a table for each column, with the values of the last [State]. [Store.Take] saves the
// changed values to these tables, and makes the State share them. [Store.Put] goes back to a State: it
// loads the values that differ, which are those on pages that are not shared, and those of things that
// have changed since.
//
// A table is a tree. At its leaves are pages of four values. If nearly all of sixteen neighbouring
// pages are written, they are one block, which costs less. Nodes, pages and blocks count their users,
// the tables and nodes that point to them. A page with one user is written in place. A page with
// several users is copied first, so that the other users see no change. A page without users is
// reused, so that the steady state allocates nothing.
//
// So if a tenth of a world moves, a State takes a tenth of the time and of the memory, and a
// comparison of two States looks only at the pages that they do not share.
//
// # Who may call
//
// A Store and its States belong to one goroutine. Other goroutines may read a State while it is
// neither taken again nor dropped.
package store
