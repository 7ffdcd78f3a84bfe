// Package body2d defines what physics publishes about a 2D world: the state of
// each body (State), the bodies, shapes and joints that exist (Structure), and
// optional debug data (Debug).
//
// State changes in every step, and only the newest values matter. Structure
// changes rarely, and every record matters. The package has no physics in it.
// Package scene computes poses between two states.
package body2d
