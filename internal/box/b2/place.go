package b2

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/trig"
)

// Place computes a body's rotation and sweep from its origin and angle, with the same bits on
// every machine. Bits that the library has computed depend on the machine.
func Place(b *box2d.B2Body) {
	b.M_xf.Q.S, b.M_xf.Q.C = trig.SinCos(b.M_sweep.A)
	b.M_sweep.C = Transform(&b.M_xf, b.M_sweep.LocalCenter)
	b.M_sweep.C0, b.M_sweep.A0 = b.M_sweep.C, b.M_sweep.A
}
