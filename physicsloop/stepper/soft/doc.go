// Package soft advances a Box2D world by soft constraints in sub-steps.
package soft
