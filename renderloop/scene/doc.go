// Package scene has the data of a frame. A View has a pair of states and the shown instant between
// these states. A Scene lists the bodies, shapes and joints that exist. Blend and PoseOf compute
// the shown pose of a body, Pick finds the body under a point, and a Camera maps the world to the
// screen.
//
// The package draws nothing. Package glrender draws views with OpenGL.
package scene
