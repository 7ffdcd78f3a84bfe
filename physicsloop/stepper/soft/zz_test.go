package soft_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ByteArena/box2d"
)

// what: ground static, kinematic, dynamic
func TestZZ(t *testing.T) {
	for _, ground := range []uint8{0, 1, 2} {
		for _, wide := range []float64{.5, 1, .1} {
			for _, tilt := range []float64{0, .3} {
				for _, h := range []float64{5, 8, 10, 12, 15, 20, 20.2, 33, 45, 80, 180} {
					y := yards(t)["soft"]
					if tilt != 0 {
						y.SetGravity(box2d.B2Vec2{X: -10 * math.Sin(-tilt), Y: -10 * math.Cos(tilt)})
					}
					up := box2d.B2Vec2{X: -math.Sin(tilt), Y: math.Cos(tilt)}
					if tilt != 0 {
						y.SetGravity(box2d.B2Vec2{X: -10 * up.X, Y: -10 * up.Y})
					}
					top := 0.5
					g := y.box(0, 0, 0, 50, .5, 0)
					if ground == 1 {
						g.SetType(1)
					}
					g.SetTransform(box2d.B2Vec2{}, tilt)
					if ground == 2 {
						g2 := y.box(2, 0, 0, 2, .5, 1)
						g2.SetTransform(box2d.B2Vec2{X: up.X, Y: up.Y}, tilt)
						top = 1.5
					}
					b := y.box(2, 0, 0, wide, .5, 1)
					b.SetTransform(box2d.B2Vec2{X: up.X * (h + top + .5), Y: up.Y * (h + top + .5)}, tilt)
					w, x, late := 0.0, 0.0, 0.0
					hit := -1
					for i := range 900 {
						y.run(1. / 60)
						p := b.GetPosition()
						if hit < 0 && math.Hypot(p.X, p.Y) < top+.55 {
							hit = i
						}
						if hit >= 0 {
							w = max(w, math.Abs(b.GetAngularVelocity()))
							if i > hit+2 {
								late = max(late, math.Abs(b.GetAngularVelocity()))
							}
							x = max(x, math.Abs(p.X*up.Y-p.Y*up.X))
						}
					}
					fmt.Printf("ground %d tilt %v wide %v %v m: most w %.3f, after 3 steps %.3f, x %.4f a %.4f\n", ground, tilt, wide, h, w, late, x, b.GetAngle()-tilt)
				}
			}
		}
	}
}
