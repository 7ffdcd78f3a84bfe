package world_test

import (
	"testing"

	"halfstep/internal/harness/fused"
)

// What edits, forces and questions compute comes back into the world.
func TestNoProductIsFusedWithASum(t *testing.T) {
	fused.None(t, "halfstep/world", "halfstep/world/forces",
		"halfstep/internal/b2", "halfstep/internal/trig", "halfstep/internal/geometry", "halfstep/internal/query")
}
