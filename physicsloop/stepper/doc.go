// Package stepper advances a Box2D world with the bits of its own Step, in less
// time and on more than one core.
package stepper
