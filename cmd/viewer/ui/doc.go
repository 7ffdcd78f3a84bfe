// Package ui is a small set of widgets in the immediate mode: a program calls
// Begin, then a function for each control that is there in this frame, and
// reads from what the function returns whether the control was used. End closes
// the frame.
//
// The package knows nothing of windows and GL. Events are fed to it, and what it
// draws is a list of shapes, so that a test can click on a button without a
// display. A Context belongs to one goroutine.
//
// Lengths are in units: pixels divided by the scale of the display. Controls are
// told apart by a name, which must be unique in a frame.
package ui
