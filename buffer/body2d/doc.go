// Package body2d defines what physics publishes about a 2D world: the state of
// each body (State), the bodies, shapes and joints that exist (Structure), and
// optional debug data (Debug).
//
// A State changes in each step. Structure records are rare. Package scene computes poses between
// two states.
package body2d
