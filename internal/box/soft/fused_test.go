package soft_test

import (
	"testing"

	"halfstep/test/fused"
)

func TestNoProductIsFusedWithASum(t *testing.T) {
	fused.None(t, "halfstep/internal/box/soft")
}
