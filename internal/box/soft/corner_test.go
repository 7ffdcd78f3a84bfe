package soft_test

import (
	"math"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

func TestABallThatPassesACornerWith10MillimetresOfRoomKeepsItsWay(t *testing.T) {
	norace.Only(t)
	const r, room = 0.25, 0.010
	for name, y := range yards(t) {
		y.SetGravity(box2d.B2Vec2{})
		y.box(0, 0, 0, 0.5, 0.5, 0)
		worst := 0.0
		for i := range 40 {
			for _, speed := range []float64{0.5, 1, 2, 4, 8, 16} {
				// The ball falls to the right of the tile, and passes over its upper left corner.
				ball := y.disc(0.5+r+room, 1+0.01*float64(i), r, 1)
				ball.SetLinearVelocity(box2d.B2Vec2{Y: -speed})
				for ball.M_sweep.C.Y > -1.5 {
					y.step(1.0/60, 8, 3)
				}
				worst = math.Max(worst, math.Abs(ball.M_linearVelocity.X))
				y.DestroyBody(ball)
			}
		}
		t.Logf("%s: turned aside by %.3f m/s at most", name, worst)
		if worst > 0.05 {
			t.Errorf("%s: turned aside by %.3f m/s", name, worst)
		}
	}
}
