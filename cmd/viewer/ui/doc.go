// Package ui is a small set of widgets in the immediate mode. A program calls
// Begin, and then a function for each control of this frame. The result of the
// function says whether the control was used. End finishes the frame.
//
// The package uses neither windows nor GL. It gets events and returns a list of
// shapes, so that a test can click on a button without a display. Only one
// goroutine may use a Context.
//
// Lengths are in units: pixels divided by the scale of the display. A control is
// identified by its name, which must be unique in a frame.
package ui
