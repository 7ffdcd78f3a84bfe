package world_test

import (
	"fmt"
	"math"
	"slices"

	"halfstep/world"
)

// speeds returns for each body its velocity, m/s, and the speed, m/s, that its rotation gives a point
// 30 cm from its centre.
func (e *edited) speeds() (all [][3]float64) {
	for _, b := range e.bodies {
		is := e.info(b)
		all = append(all, [3]float64{is.Velocity.X, is.Velocity.Y, .3 * is.AngularVelocity})
	}
	return all
}

// apart returns the difference between two speeds of a body, and the greater of the two.
func apart(a, b [3]float64) (difference, great float64) {
	for i := range a {
		difference += (a[i] - b[i]) * (a[i] - b[i])
		great += max(a[i]*a[i], b[i]*b[i])
	}
	return math.Sqrt(difference), math.Sqrt(great)
}

// rests steps the world until all bodies lie still. It returns false if they do not within some
// seconds.
func (e *edited) rests() bool {
	for range 8 {
		e.steps(90)
		still := true
		for b := range e.Bodies() {
			if is := e.info(b); is.Kind == world.Dynamic && (is.Velocity.Len() > 5e-4 || math.Abs(is.AngularVelocity) > 1e-3) {
				still = false
			}
		}
		if still {
			return true
		}
	}
	return false
}

// pairs has the numbers of each two bodies that touch.
func (e *edited) pairs() map[[2]int]bool {
	number := map[world.Body]int{}
	for b := range e.Bodies() {
		number[b] = len(number)
	}
	all := map[[2]int]bool{}
	for c := range e.Contacts() {
		a, b := number[c.A], number[c.B]
		all[[2]int{min(a, b), max(a, b)}] = true
	}
	return all
}

// farthest finds the body whose place, m, or angle, rad, differs most between two worlds, and
// returns both differences.
func (e *edited) farthest(o *edited) (body int, place, angle float64) {
	var mine, others []world.Body
	mine, others = slices.Collect(e.Bodies()), slices.Collect(o.Bodies())
	for i := range min(len(mine), len(others)) {
		a, b := e.info(mine[i]), o.info(others[i])
		p, r := a.Position.Sub(b.Position).Len(), math.Abs(a.Angle-b.Angle)
		if p+.3*r > place+.3*angle {
			body, place, angle = i, p, r
		}
	}
	return body, place, angle
}

// tally counts what the attack on edits has checked.
type tally struct{ edits, steps, rests, bytes, places uint64 }

// judge edits a world and checks the step after the edit. It returns the world for the next edit.
func (j *judged) judge(e *edited, d edit, remembers bool, t *tally) *edited {
	saved := e.bytes()
	untouched := e.loaded(saved)
	control := untouched.anew(nil, 0, false)

	// Make the same edit in a world from bytes, and in other phases of a step.
	twin := e.loaded(saved)
	wrong := d.do(twin)
	inside := e.loaded(saved)
	moment := j.IntN(2)
	if moment == 0 {
		inside.before = append(inside.before, func(e *edited) { d.do(e) })
	}
	var s world.Snapshot
	around := j.IntN(5)
	switch around {
	case 1: // a snapshot before the edit; the world restores it after another edit
		e.check(e.Snapshot(&s))
		d.do(e)
		e.steps(j.IntN(3))
		e.check(e.Restore(&s))
	case 2:
		e.check(e.Snapshot(&s))
	}
	if err := d.do(e); (err == nil) != (wrong == nil) {
		j.Errorf("%s: %v: the edit says %v, and %v in the world that was loaded", j.name, j.way, err, wrong)
		return e
	}
	if wrong != nil {
		return e
	}
	switch around {
	case 2: // a snapshot after the edit
		e.check(e.Snapshot(&s))
	case 3:
		e.check(e.Snapshot(&s))
		e.steps(j.IntN(3))
		e.check(e.Restore(&s))
	}
	fresh, reversed := e.anew(nil, 0, false), e.anew(nil, 0, true)
	for _, w := range []*edited{fresh, reversed} {
		if d.again {
			w.check(d.do(w))
		}
	}
	wild := e.deep()
	for _, j := range e.joints {
		is := must(e.Joint(j))
		wild = wild || (is.Kind == world.RevoluteJoint || is.Kind == world.WeldJoint) && is.PointA.Sub(is.PointB).Len() > .05
	}
	for _, b := range e.bodies {
		is := e.info(b)
		wild = wild || is.Velocity.Len() > 3 || math.Abs(is.AngularVelocity) > 6
	}
	// The edit may wake bodies, which then have old contacts. So all bodies wake in these worlds, too.
	for _, w := range []*edited{untouched, control} {
		w.look()
		for i, b := range w.bodies {
			if i < len(e.bodies) && e.Alive(e.bodies[i]) && e.info(e.bodies[i]).Awake {
				w.check(w.SetAwake(b, true))
			}
		}
	}
	if around == 4 { // the world runs on from bytes
		if d.again {
			around = 0
		} else {
			e = e.loaded(e.bytes())
		}
	}

	for i := range 3 {
		for _, w := range []*edited{e, twin} {
			w.steps(1)
		}
		if i == 0 {
			inside.steps(1)
			fresh.steps(1)
			reversed.steps(1)
			untouched.steps(1)
			control.steps(1)
			if moment == 0 && inside.Hash() != e.Hash() {
				_, place, angle := e.farthest(inside)
				if !j.between(fmt.Sprintf("how far a body is off where the edit is made in a controller (and %.3g rad), m", angle), place, 0, 0) {
					return e
				}
			}
			t.places++
			if !remembers && !wild { // otherwise the order of contacts and the sweep determine the first result
				e.look()
				j.fresh(e, fresh, reversed, untouched, control, t)
			}
		}
		if e.StateHash() != twin.StateHash() {
			_, place, angle := e.farthest(twin)
			j.Errorf("%s: %v: %d steps after the edit the world that was loaded from bytes (around %d) has another state hash; a body is off by %.3g m, %.3g rad", j.name, j.way, i+1, around, place, angle)
			return e
		}
		t.bytes++
	}
	return e
}

// fresh compares the speeds in the step after an edit with the speeds in the same world without
// state from earlier steps. It allows for the difference between two such worlds without the edit.
func (j *judged) fresh(e, fresh, reversed, untouched, control *edited, t *tally) {
	good := 0.
	for _, w := range [][2]*edited{{untouched, control}, {fresh, reversed}} {
		a, b := w[0].speeds(), w[1].speeds()
		for i := range a {
			x, _ := apart(a[i], b[i])
			good = max(good, x)
		}
	}
	if good > .02 {
		return
	}
	// A sub-step solves each joint once. The result depends on the order of joints, of which the reversed
	// world tests only a part. The solver starts from the impulses of the last step: after a change of
	// load it converges in a few steps, and takes longer if a body has become lighter. The library's
	// solver also has fewer iterations.
	floor := .02
	if len(e.joints) > 0 {
		floor = .06
	}
	if !e.Config().NoWarmStarting {
		floor = .15
	}
	if j.way != world.SoftStep {
		floor = .3
	}
	floor *= lighter(untouched, e)
	t.steps++
	a, b := e.speeds(), fresh.speeds()
	for i := range a {
		if e.info(e.bodies[i]).Awake != fresh.info(fresh.bodies[i]).Awake { // a sleeping body has no contacts yet
			continue
		}
		x, great := apart(a[i], b[i])
		if !j.between(fmt.Sprintf("how much the speed of body %d is off one without what was kept (%.4g, not %.4g; in other ways %.3g), m/s", i, a[i], b[i], good), x, 0, .01*great+floor+3*good) {
			return
		}
	}
}

// deep reports whether two shapes overlap so deeply that the solver pushes them apart fast.
func (e *edited) deep() (deep bool) {
	q := e.Query(world.QueryFilter{})
	for i, b := range e.bodies {
		if e.info(b).Kind != world.Dynamic {
			continue
		}
		for _, s := range e.shapes[i] {
			if !e.Alive(b) {
				continue
			}
			q.OverlapShape(s, func(_ world.Body, o world.Shape) bool {
				near, err := q.Distance(s, o)
				deep = deep || err == nil && near.Distance < -.03
				return true
			})
		}
	}
	return deep
}

// lighter is the greatest factor by which a body is lighter in the second world, at least 1.
func lighter(a, b *edited) float64 {
	most := 1.
	mine, others := slices.Collect(a.Bodies()), slices.Collect(b.Bodies())
	if len(mine) != len(others) {
		return most
	}
	for i := range mine {
		if x, y := a.info(mine[i]).Mass, b.info(others[i]).Mass; x > 0 && y > 0 {
			most = max(most, x/y)
		}
	}
	return most
}

// rest lets an edited world come to rest, and compares it with new worlds.
func (j *judged) rest(e *edited, t *tally) {
	wake := func(e *edited) {
		for b := range e.Bodies() {
			if e.info(b).Kind == world.Dynamic {
				e.check(e.SetAwake(b, true))
			}
		}
	}
	wake(e)
	same := e.anew(nil, 0, false)
	others := []*edited{}
	for range 4 {
		w := e.anew(j.Rand, 3e-4, false)
		for _, b := range w.bodies {
			if is := w.info(b); is.Kind == world.Dynamic {
				w.check(w.SetVelocity(b, is.Velocity.Add(j.vec(.1))))
				w.check(w.SetAngularVelocity(b, is.AngularVelocity+j.span(-.2, .2)))
			}
		}
		others = append(others, w)
	}
	// Go on only if the resting place does not depend on the path.
	wake(same)
	if !e.rests() || !same.rests() {
		return
	}
	for _, w := range others {
		if wake(w); !w.rests() {
			return
		}
		if _, place, angle := same.farthest(w); place > .0008 || angle > .002 {
			return
		}
	}
	// The library accepts bodies that lie up to 5 mm and 2° off.
	farthest, most := .003, .01
	if j.way != world.SoftStep {
		farthest, most = .013, .045
	}
	t.rests++
	body, place, angle := e.farthest(same)
	if !j.between(fmt.Sprintf("how far body %d is off where it rests in a world made so, m", body), place, 0, farthest) {
		return
	}
	if !j.between(fmt.Sprintf("how far body %d is off as it rests in a world made so, rad", body), angle, 0, most) {
		return
	}
	mine, right := e.pairs(), same.pairs()
	for _, w := range others { // bare touches do not count
		p := w.pairs()
		for k := range p {
			if !right[k] {
				delete(mine, k)
			}
		}
		for k := range right {
			if !p[k] {
				delete(mine, k)
				delete(right, k)
			}
		}
	}
	for k := range mine {
		if !right[k] {
			j.Errorf("%s: %v: bodies %v touch, and do not in a world made so", j.name, j.way, k)
		}
	}
	for k := range right {
		if !mine[k] {
			j.Errorf("%s: %v: bodies %v do not touch, and do in a world made so", j.name, j.way, k)
		}
	}
}
