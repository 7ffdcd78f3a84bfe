// Package monotime is a clock for measuring frames, steps and phases.
package monotime
