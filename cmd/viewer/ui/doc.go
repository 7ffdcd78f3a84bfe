// Package ui is a small set of widgets in the immediate mode: a program calls
// Begin, then a function for each control of this frame, whose result says
// whether the control was used. End closes the frame.
//
// The package uses neither windows nor GL. It gets events and returns a list of
// shapes, so that a test can click on a button without a display. A Context
// belongs to one goroutine.
//
// Lengths are in units: pixels divided by the scale of the display. A control is
// identified by its name, which must be unique in a frame.
package ui
