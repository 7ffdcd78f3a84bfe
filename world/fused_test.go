package world_test

import (
	"testing"

	"halfstep/test/fused"
)

// What edits, forces and questions compute comes back into the world.
func TestNoProductIsFusedWithASum(t *testing.T) {
	fused.None(t, "halfstep/world", "halfstep/world/forces", "halfstep/world/tiles", "halfstep/world/walker",
		"halfstep/internal/box/b2", "halfstep/internal/trig", "halfstep/internal/geometry", "halfstep/internal/query")
}
