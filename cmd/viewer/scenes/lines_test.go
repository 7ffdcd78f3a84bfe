package scenes

import (
	"math"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/world"
)

// Each scene has a line of text in the viewer. These tests check scenes against
// their lines.

func TestTheLinesHoldWithTheSoftStepper(t *testing.T) {
	norace.Only(t)
	for name, test := range map[string]func(*testing.T){
		"RagdollsBendNoFurtherThanTheirLimits":               TestRagdollsBendNoFurtherThanTheirLimits,
		"CastsEndAtTheFirstShape":                            TestCastsEndAtTheFirstShape,
		"CratesRiseThroughShelvesAndComeDownOnlyAtTheirEnds": TestCratesRiseThroughShelvesAndComeDownOnlyAtTheirEnds,
		"TheBridgeThatBearsHalfBreaksFirst":                  TestTheBridgeThatBearsHalfBreaksFirst,
		"OnlyFrictionHoldsTheHouseOfCards":                   TestOnlyFrictionHoldsTheHouseOfCards,
		"OnlyTheSoftStepperHoldsTheTowerUp":                  TestOnlyTheSoftStepperHoldsTheTowerUp,
		"TheArchCarriesItsLoadUntilItIsTooHeavy":             TestTheArchCarriesItsLoadUntilItIsTooHeavy,
		"FarAwayPhysicsIsAsAtTheOrigin":                      TestFarAwayPhysicsIsAsAtTheOrigin,
		"InTheLargeWorldOnlyWhatIsHitIsAwake":                TestInTheLargeWorldOnlyWhatIsHitIsAwake,
		"TheFirstDominoFellsTheLast":                         TestTheFirstDominoFellsTheLast,
		"CogsTurnAgainstEachOtherAndThePistonGoesToAndFro":   TestCogsTurnAgainstEachOtherAndThePistonGoesToAndFro,
		"TheSiegeBringsTheTowerDown":                         TestTheSiegeBringsTheTowerDown,
		"TheFigureGoesItsRound":                              TestTheFigureGoesItsRound,
	} {
		softly(t, name, test)
	}
}

// set sets a parameter of an open scene.
func set(w driven, p Param, x float64) {
	privateapi.World.NewCommands(queueOf(w), nil).DoNamed(p.Command(), x)
}

// queueOf carries commands out at once.
type queueOf driven

func (q queueOf) Room() int                      { return 1 }
func (q queueOf) Send(_ uint64, c world.Command) { q.Apply(q.World.Tick(), &c, false) }

// all returns the bodies with a name.
func all(w driven, name string) (list []world.Body) {
	for n := range w.Bodies() {
		if b, _ := w.Body(n); b.Name == name {
			list = append(list, n)
		}
	}
	return list
}

// A limit acts from the step after it is passed. A blow therefore bends a limb
// too far for some steps.
func TestRagdollsBendNoFurtherThanTheirLimits(t *testing.T) {
	w := open(t, lookup(t, "ragdolls"))
	looked, beyond, bent := 0, 0, 0.0
	for range 40 {
		step(w, 6, 60)
		for j := w.Box2D().M_jointList; j != nil; j = j.GetNext() {
			i, err := w.Joint(w.HandleOfJoint(j))
			if err != nil {
				t.Fatal(err)
			}
			if name, _ := w.Body(i.B); name.Name == "mill" {
				continue
			}
			looked++
			if i.Angle < i.Def.Lower-.2 || i.Angle > i.Def.Upper+.2 {
				beyond++
			}
			bent = max(bent, math.Abs(i.Angle))
		}
	}
	if beyond > looked/50 || bent < 1 {
		t.Errorf("%d times of %d a hinge was beyond its limit; the most was %.2f rad", beyond, looked, bent)
	}
}

func TestCastsEndAtTheFirstShape(t *testing.T) {
	w := open(t, lookup(t, "casts"))
	const margin = .1 // in m: shapes have moved for another step
	short := 0
	for range 12 {
		step(w, 10, 60)
		for i, n := range all(w, "end") {
			hub, to := vec{X: 6.4, Y: .4}, at(w, n)
			long := math.Hypot(to.X-hub.X, to.Y-hub.Y)
			if i >= rays {
				w.Query(solid).Overlap(world.Circle(castBall.Default-margin), to, 0, func(world.Body, world.Shape) bool {
					t.Errorf("tick %d: a ball is inside a shape", w.Tick())
					return false
				})
				continue
			}
			if long < castReach.Default-margin {
				short++
			}
			for d := castOrigin; d < long-margin; d += margin {
				p := plus(hub, (to.X-hub.X)*d/long, (to.Y-hub.Y)*d/long)
				w.Query(solid).OverlapPoint(p, func(n world.Body, _ world.Shape) bool {
					// a ray that passes beside the shape does not hit it
					b, _ := w.Body(n)
					if inner := math.Hypot(b.Centre.X-p.X, b.Centre.Y-p.Y); inner < .2 {
						t.Errorf("tick %d: ray %d passes through %s", w.Tick(), i, b.Name)
					}
					return true
				})
			}
		}
	}
	if short < 12*rays/10 {
		t.Errorf("%d of %d rays ended early", short, 12*rays)
	}
}

func TestCratesRiseThroughShelvesAndComeDownOnlyAtTheirEnds(t *testing.T) {
	w := open(t, lookup(t, "oneway"))
	type place struct {
		crate world.Body
		shelf int
	}
	above := map[place]bool{}
	ups, downs := 0, 0
	for range 1500 {
		step(w, 1, 60)
		for _, n := range all(w, "crate") {
			for i := range shelves {
				p, top := at(w, n), shelfStep*float64(i+1)
				key := place{n, i}
				switch {
				case p.Y > top+.43 && !above[key]: // all of it
					above[key] = true
					ups++
				case p.Y < top-.2 && above[key]:
					above[key] = false
					downs++
					if end := 2 - 5.4*float64(1-2*(i%2)); math.Abs(p.X-end) > 2.5 {
						t.Fatalf("tick %d: a crate fell through shelf %d at x = %.1f", w.Tick(), i, p.X)
					}
				}
			}
		}
	}
	if ups < 24 || downs < 12 {
		t.Errorf("%d times up through a shelf, %d times down past its end", ups, downs)
	}
}

func TestTheBridgeThatBearsHalfBreaksFirst(t *testing.T) {
	w := open(t, lookup(t, "breakable"))
	broke := [2]uint64{}
	for w.Tick() < uint64(roundPeriods*weightPeriod*60)-2 {
		step(w, 1, 60)
		links := [2]int{}
		for j := w.Box2D().M_jointList; j != nil; j = j.GetNext() {
			side := 0
			if i, err := w.Joint(w.HandleOfJoint(j)); err == nil && i.PointA.X > 0 {
				side = 1
			}
			links[side]++
		}
		for side, n := range links {
			if n < bridgePlanks+1 && broke[side] == 0 {
				broke[side] = w.Tick()
			}
		}
	}
	if broke[1] == 0 || broke[0] <= broke[1] {
		t.Errorf("the left bridge breaks at tick %d, the right one at %d", broke[0], broke[1])
	}
	step(w, 10, 60)
	if n := w.Counts().Joints; n != 2*(bridgePlanks+1) {
		t.Errorf("the bridges that are built again have %d joints", n)
	}
}

func TestOnlyFrictionHoldsTheHouseOfCards(t *testing.T) {
	for _, c := range []struct {
		friction float64
		stands   bool
	}{{.7, true}, {.1, false}} {
		w := open(t, lookup(t, "cardhouse"))
		set(w, cardFriction, c.friction)
		top := func() (y float64) {
			for _, n := range all(w, "card") {
				y = max(y, at(w, n).Y)
			}
			return y
		}
		before := top()
		step(w, 150, 60)
		// The soft stepper closes the gaps between the cards, which are 1.5 cm each.
		if fell := before - top(); fell < .2 != c.stands || !c.stands && fell < 1 {
			t.Errorf("with friction %v its top has come down by %.2f m", c.friction, fell)
		}
	}
}

func TestOnlyTheSoftStepperHoldsTheTowerUp(t *testing.T) {
	w := open(t, lookup(t, "tower"))
	top, _ := w.Find("top")
	step(w, 15*60, 60)
	y := at(w, top).Y
	if stands, soft := y > 38.5, stepper == world.SoftStep; stands != soft {
		t.Errorf("after 15 s the top is at %.1f m", y)
	}
}

func TestTheArchCarriesItsLoadUntilItIsTooHeavy(t *testing.T) {
	for load, holds := range map[float64]bool{archLoad.Default: true, 30: true, archLoad.Max: false} {
		w := open(t, lookup(t, "arch"))
		set(w, archLoad, load)
		n := find(t, w, "keystone")
		before := at(w, n)
		step(w, 400, 60)
		if d := math.Hypot(at(w, n).X-before.X, at(w, n).Y-before.Y); d < .25 != holds { // the bridge sags before it falls by metres
			t.Errorf("with a load of %v kg the keystone moved by %.2f m", load, d)
		}
	}
}

func TestFarAwayPhysicsIsAsAtTheOrigin(t *testing.T) {
	var swung [2]vec
	for i, km := range []float64{0, farAway.Default} {
		w := open(t, lookup(t, "far"))
		set(w, farAway, km)
		step(w, 90, 60)
		base := at(w, find(t, w, "base")).X
		if base != 1e3*km {
			t.Errorf("it is at %v m, not %v km", base, km)
		}
		swung[i] = at(w, find(t, w, "pendulum"))
		swung[i].X -= base
	}
	if d := math.Hypot(swung[0].X-swung[1].X, swung[0].Y-swung[1].Y); d > 1e-6 {
		t.Errorf("after 1.5 s the pendulum is off by %v m: %v, %v", d, swung[0], swung[1])
	}
	x := float32(1e3 * farAway.Default)
	if mm := 1e3 * (math.Nextafter32(x, 2*x) - x); math.Round(float64(mm)) != 8 {
		t.Errorf("float32 counts in steps of %v mm there", mm)
	}
}

func init() { stacks = 100 }

func TestInTheLargeWorldOnlyWhatIsHitIsAwake(t *testing.T) {
	norace.Only(t)
	defer func(n int) { stacks = n }(stacks)
	stacks = manyStacks
	w := open(t, lookup(t, "largeworld"))
	step(w, 120, 60)
	if c := w.Counts(); c.Awake > 1 || c.Bodies < 49_000 {
		t.Errorf("%d of %d bodies are awake before the wheel hits any", c.Awake, c.Bodies)
	}
	step(w, 90, 60) // with the soft stepper the stack wakes within a few steps after the hit
	if n := w.Counts().Awake; n < 5 || n > 50 {
		t.Errorf("%d bodies are awake after it has hit the first stack", n)
	}
}

func TestTheFirstDominoFellsTheLast(t *testing.T) {
	w := open(t, lookup(t, "domino"))
	step(w, 1, 60)
	row := all(w, "domino")
	last := row[len(row)-1]
	tall := at(w, last).Y / at(w, row[1]).Y
	if want := math.Pow(1.2, dominoes-2); math.Abs(tall-want) > 1 {
		t.Errorf("the last is %.1f times as tall as the second, not %.1f", tall, want)
	}
	step(w, 480, 60)
	if b, _ := w.Body(last); b.Angle > -1 {
		t.Errorf("after 8 s the last domino is at %.2f rad", b.Angle)
	}
	step(w, int(dominoPeriod*60)-480, 60)
	if row = all(w, "domino"); len(row) != dominoes || math.Abs(w.angle(row[dominoes-1])) > .01 {
		t.Errorf("after %v s %d dominoes stand again", dominoPeriod, len(row))
	}
}

func (d driven) angle(n world.Body) float64 {
	b, _ := d.Body(n)
	return b.Angle
}

func TestCogsTurnAgainstEachOtherAndThePistonGoesToAndFro(t *testing.T) {
	w := open(t, lookup(t, "machines"))
	motor, wheel, piston := find(t, w, "motor"), find(t, w, "wheel"), find(t, w, "piston")
	m, c := w.angle(motor), w.angle(wheel)
	lo, hi := math.Inf(1), math.Inf(-1)
	for range 400 {
		step(w, 1, 60)
		lo, hi = min(lo, at(w, piston).X), max(hi, at(w, piston).X)
	}
	m, c = w.angle(motor)-m, w.angle(wheel)-c
	if m < 12 || math.Abs(c/m+.5) > .02 {
		t.Errorf("the motor has turned by %.2f rad, the wheel with twice the teeth by %.2f", m, c)
	}
	if hi-lo < 3.3 || hi-lo > 3.5 {
		t.Errorf("the piston moved over %.2f m, twice the crank is 3.4 m", hi-lo)
	}
}

func TestTheSiegeBringsTheTowerDown(t *testing.T) {
	w := open(t, lookup(t, "siege"))
	top := func() (y float64) {
		for _, n := range all(w, "brick") {
			y = max(y, at(w, n).Y)
		}
		return y
	}
	step(w, 20, 60)
	if y := top(); y < 9 {
		t.Errorf("at first the tower is %.1f m high", y)
	}
	step(w, 400, 60)
	if y := top(); y > 7 {
		t.Errorf("after 7 s the tower is still %.1f m high", y)
	}
}

func TestTheFigureGoesItsRound(t *testing.T) {
	w := open(t, lookup(t, "platformer"))
	n := find(t, w, "figure")
	stages := []struct {
		what string
		at   func(p vec) bool
	}{
		{"up through the ledge", func(p vec) bool { return p.Y > floor3-.1 && p.X > -2 }},
		{"over the gap", func(p vec) bool { return p.Y > floor3-.1 && p.X < -3 }},
		{"down through two ledges", func(p vec) bool { return p.Y < .1 && p.X < -3 }},
		{"against the belt", func(p vec) bool { return p.Y < .1 && p.X > 5 }},
		{"up with the lift", func(p vec) bool { return p.Y > liftTop-.01 && p.X > 8 }},
		{"and round again", func(p vec) bool { return p.Y > floor3-.1 && p.X < -3 }},
	}
	for w.Tick() < 1500 && len(stages) > 0 {
		step(w, 1, 60)
		if stages[0].at(at(w, n)) {
			stages = stages[1:]
		}
	}
	if len(stages) > 0 {
		t.Errorf("it has not come %s; it is at %v", stages[0].what, at(w, n))
	}
}
