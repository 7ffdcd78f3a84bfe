package world

import (
	"errors"
	"testing"
)

func TestAnErrorAboutANumberNamesTheLimit(t *testing.T) {
	r := newRig(t, gravity())
	b := r.box(0, 5)
	for want, err := range map[string]error{
		"world: position is (1e+12, 0): both must be between ±1e+09": r.Teleport(b, Vec{X: 1e12, Y: 0}, 0),
		"world: angle is -2e+09: must be between ±1e+09":             r.Teleport(b, Vec{}, -2e9),
		"world: gravity scale is 1e+20: must be between ±1e+18":      r.SetGravityScale(b, 1e20),
		"world: linear damping is -1: must be from 0 to 1e+18":       r.SetDamping(b, -1, 0),
		"world: velocity is (0, 1e+19): both must be between ±1e+18": r.SetVelocity(b, Vec{X: 0, Y: 1e19}),
		"world: body 0 does not exist: 0 is the handle of none":      r.SetVelocity(0, Vec{}),
		"world: body 77 does not exist":                              r.SetVelocity(77, Vec{}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func TestAnErrorAboutARemovedBodySaysItsName(t *testing.T) {
	r := newRig(t, gravity())
	named := r.body(BodyDef{Name: "crate"})
	plain := r.body(BodyDef{})
	check(t, r.DestroyBody(named))
	check(t, r.DestroyBody(plain))
	for b, want := range map[Body]string{
		named: `world: body w1 ("crate") does not exist: it has been removed`,
		plain: "world: body w2 does not exist: it has been removed",
	} {
		if err := r.SetVelocity(b, Vec{}); !errors.Is(err, ErrStale) || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
