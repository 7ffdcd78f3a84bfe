package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// sleepingWall is a wall of columns × rows boxes, 40 cm wide, that were made asleep.
func (x *situation) sleepingWall(columns, rows int) (wall []world.Body) {
	for i := range columns {
		for k := range rows {
			at := world.Vec{X: float64(.4 * float64(i)), Y: float64(.4*float64(k)) + .2}
			wall = append(wall, x.made(world.BodyDef{Kind: world.Dynamic, Position: at, Asleep: true, Shapes: []world.ShapeDef{world.Box(.2, .2)}}))
		}
	}
	return wall
}

func (x *situation) awake(of []world.Body) (n int) {
	for _, b := range of {
		if x.info(b).Awake {
			n++
		}
	}
	return n
}

func TestABlowWakesWhatItReachesOfAWallMadeAsleep(t *testing.T) {
	x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true})
	wall := x.sleepingWall(40, 20)
	x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -.6, Y: 4}, Velocity: world.Vec{X: 2}, Shapes: []world.ShapeDef{world.Circle(.3)}})
	was := 0
	for range 12 {
		x.steps(1)
		now := x.awake(wall)
		if now < was {
			t.Errorf("%d are awake after %d", now, was)
		}
		was = now
	}
	x.between("awake soon after the blow", float64(was), 20, 400)
	x.steps(60)
	x.between("awake a second later", float64(x.awake(wall)), 790, 800)
}

// A hit must not drive a body deep into neighbours that have not woken yet. The limit is half of the
// body's least extent, which is 20 cm.
func TestWhatIsHitStaysOutsideNeighboursThatWereMadeAsleep(t *testing.T) {
	nearest := func(asleep bool) float64 {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true})
		wall := x.sleepingWall(24, 3)
		block := world.Box(1, .6)
		block.Density = 8
		x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -3, Y: .6}, Velocity: world.Vec{X: 18}, Shapes: []world.ShapeDef{block}})
		if !asleep {
			for _, b := range wall {
				x.worked(x.SetAwake(b, true))
			}
		}
		least := math.Inf(1)
		for range 30 {
			x.steps(1)
			for i, a := range wall {
				for _, b := range wall[i+1:] {
					least = min(least, x.info(a).Position.Sub(x.info(b).Position).Len())
				}
			}
		}
		return least
	}
	woken, awake := nearest(true), nearest(false)
	t.Logf("least distance of two centres: %.3f m made asleep, %.3f m awake", woken, awake)
	if woken < awake-.1 {
		t.Errorf("two boxes come %.3f m close if they were made asleep, and %.3f m if they are awake", woken, awake)
	}
}

func TestWhatLiesOnABodyMadeAsleepFallsWhenThatOneGoes(t *testing.T) {
	goes := map[string]func(x *situation, b world.Body){
		"destroyed": func(x *situation, b world.Body) { x.worked(x.DestroyBody(b)) },
		"moved":     func(x *situation, b world.Body) { x.worked(x.Teleport(b, world.Vec{X: 9, Y: .5}, 0)) },
		"disabled":  func(x *situation, b world.Body) { x.worked(x.SetEnabled(b, false)) },
		"a sensor": func(x *situation, b world.Body) {
			shapes, err := x.Shapes(b)
			x.worked(err)
			for _, s := range shapes {
				x.worked(x.SetSensor(s, true))
			}
		},
		"filtered": func(x *situation, b world.Body) {
			shapes, err := x.Shapes(b)
			x.worked(err)
			for _, s := range shapes {
				x.worked(x.SetFilter(s, world.Filter{Category: 1, Mask: 0}))
			}
		},
	}
	for name, act := range goes {
		withEach(t, func(t *testing.T, s world.Stepper) {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			var pile []world.Body
			for i := range 3 {
				pile = append(pile, x.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: .5 + float64(i)}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}))
			}
			x.steps(5)
			act(x, pile[1])
			x.steps(120)
			x.between(name+": the height of what lay on it", x.info(pile[2]).Position.Y, 1.4, 1.6)
		})
	}
}

func TestABodyMadeAsleepSleepsOnWhatItTouches(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		var pile []world.Body
		for i := range 5 {
			pile = append(pile, x.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: .5 + float64(i)}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}))
		}
		sleep := func() {
			x.steps(2)
			for _, b := range pile {
				if i := x.info(b); i.Awake {
					t.Errorf("a body that was made asleep is awake at %v", i.Position)
				}
			}
		}
		sleep()
		pile = append(pile, x.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: 5.5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}))
		sleep()
		begun := float64(6)
		if s == world.SoftStep {
			begun = 1 // the other contacts begin when the pile wakes
		}
		x.between("contacts told of", float64(x.told(world.ContactBegin)), begun, begun)
		// A body that arrives wakes the whole pile, and without its support the pile falls.
		x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: 5}, Position: world.Vec{X: -3, Y: 5.5}, Shapes: []world.ShapeDef{world.Circle(.2)}})
		x.steps(60)
		if !x.info(pile[0]).Awake {
			t.Error("a ball that hits a pile made asleep does not wake it")
		}
		x.between("contacts told of after the hit", float64(x.told(world.ContactBegin)), 7, 30)
		y := newSituation(t, world.Config{Stepper: s})
		ground := y.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		b := y.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: .5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		y.steps(10)
		y.DestroyBody(ground)
		y.steps(60)
		y.between("its height without ground", y.info(b).Position.Y, -9, -1)
	})
}
