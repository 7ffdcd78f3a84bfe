package soft_test

import (
	"testing"

	"halfstep/internal/harness/fused"
)

func TestNoProductIsFusedWithASum(t *testing.T) {
	fused.None(t, "halfstep/physicsloop/stepper/soft")
}
