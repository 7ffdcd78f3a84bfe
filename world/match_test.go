package world_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/world"
)

// peer is one player's side of a match. Meanwhile no code reads Box2D's own objects.
type peer struct {
	*world.Simulation
	tick uint64
}

// Send carries a command out at once.
func (p *peer) Send(_ uint64, c world.Command) { p.Apply(p.tick, &c, true) }
func (p *peer) Room() int                      { return 1 }

func (p *peer) step() {
	p.BeginFrame()
	p.tick++
	p.Step(p.tick, 1./60)
	p.EndFrame()
}

// yard is a floor with piles of bodies on it, which come to rest. Two of the bodies
// share a joint.
func yard(t *testing.T, cfg world.Config) *peer {
	t.Helper()
	p := &peer{Simulation: world.NewSimulation(cfg)}
	w := p.World()
	add := func(def world.BodyDef) world.Body {
		b, err := w.CreateBody(def)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	add(world.BodyDef{Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -20}, world.Vec{X: 20})}})
	var last world.Body
	for i := range 9 {
		x, y := float64(i%3)*2.5, float64(i/3)*1.05
		shapes := []world.ShapeDef{world.Box(.5, .5)}
		if i == 6 {
			shapes = []world.ShapeDef{world.Circle(.4), world.CircleAt(.5, 0, .3)}
		}
		last = add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: .5 + y}, Shapes: shapes})
	}
	b := add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 6.1, Y: 2.6}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	if _, err := w.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: last, B: b, AnchorA: world.Vec{X: .55}, AnchorB: world.Vec{X: -.55}}); err != nil {
		t.Fatal(err)
	}
	return p
}

// move makes the commands of a player for a tick: changes of any kind, usually of
// bodies that touch others. The commands depend only on r and the given handles.
func move(r *rand.Rand, c world.Commands, bodies []world.Body, shapes []world.Shape) {
	b, other := bodies[r.IntN(len(bodies))], bodies[r.IntN(len(bodies))]
	s := shapes[r.IntN(len(shapes))]
	v := world.Vec{X: r.NormFloat64(), Y: 2 * r.Float64()}
	on := r.IntN(2) == 0
	box := world.Box(.3+.3*r.Float64(), .5)
	switch r.IntN(30) {
	case 0:
		c.DestroyBody(b)
	case 1, 2:
		c.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 6 * r.Float64(), Y: 4}, Shapes: []world.ShapeDef{box}})
	case 3, 4:
		c.SetFilter(s, world.Filter{Category: uint64(r.IntN(4)) << 60, Mask: uint64(r.IntN(4)) << 60, Group: int16(r.IntN(3) - 1)})
	case 5:
		c.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: b, B: other, Length: 1, CollideConnected: on})
	case 6:
		c.CreateJoint(world.JointDef{Kind: world.WeldJoint, A: b, B: other, BreakForce: 30})
	case 7:
		c.DestroyJoint(world.Joint(1 + r.IntN(12)))
	case 8, 9:
		c.SetKind(b, world.BodyKind(r.IntN(3)))
	case 10:
		c.CreateShape(b, world.CircleAt(r.NormFloat64(), 0, .3))
	case 11:
		c.DestroyShape(s)
	case 12:
		c.ReplaceShape(s, box)
	case 13, 14:
		c.SetVelocity(b, v)
	case 15:
		c.Teleport(b, world.Vec{X: 6 * r.Float64(), Y: .5 + 3*r.Float64()}, r.NormFloat64())
	case 16, 17:
		c.SetAwake(b, on)
	case 18:
		c.SetSensor(s, on)
	case 19:
		c.SetEnabled(b, on)
	case 20:
		c.SetFriction(s, r.Float64())
		c.SetRestitution(s, r.Float64()/2)
	case 21:
		c.SetDensity(s, .5+r.Float64())
	case 22:
		c.SetFixedRotation(b, on)
	case 23:
		c.SetOneWay(s, world.Vec{Y: 1})
	case 24:
		c.SetSurfaces(world.Surfaces{
			Mixes:                []world.Mix{{A: 1, B: world.AnyMaterial, Friction: r.Float64(), RestitutionRule: world.MixMaximum}},
			RestitutionThreshold: r.Float64(), HitSpeed: r.Float64(),
		})
	case 25:
		c.SetMaterial(s, world.Material(r.IntN(3)))
	case 26:
		c.SetRollingResistance(s, r.Float64()/4)
	case 27:
		c.SetSleepSpeeds(b, r.Float64(), r.Float64())
	case 28:
		c.SetFixedAxes(b, on, r.IntN(2) == 0)
	case 29:
		c.SetName(b, "renamed")
	}
}

// has lists the objects of a world in order of creation, except the floor, and except
// shapes of a CreateBody command that got their handles from the world.
func has(w *world.World) (bodies []world.Body, shapes []world.Shape) {
	const worlds = 1 << 63
	for b := range w.Bodies() {
		of, _ := w.Shapes(b)
		bodies = append(bodies, b)
		for _, s := range of {
			if b >= worlds || s < worlds {
				shapes = append(shapes, s)
			}
		}
	}
	return bodies[1:], append(shapes[1:], 1<<40)
}

// match plays two worlds. One gets all commands in time. The other guesses the
// commands of some ticks, goes back to the first wrong guess, and continues from
// there.
func match(t *testing.T, cfg world.Config, seed uint64, ticks int) {
	t.Helper()
	const back = 12
	one, two := yard(t, cfg), yard(t, cfg)
	defer one.Close()
	defer two.Close()
	real, guess := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	private := privateapi.World
	var snapshot world.Snapshot
	var recent []string
	for tick := range ticks {
		if tick > 20 && guess.IntN(3) == 0 { // two runs ahead
			if err := two.World().Snapshot(&snapshot); err != nil {
				t.Fatal(err)
			}
			from := two.tick
			for range 1 + guess.IntN(back) {
				if bodies, shapes := has(two.World()); len(bodies) > 3 && guess.IntN(2) == 0 {
					move(guess, private.NewCommands(two, two.Simulation), bodies, shapes)
				}
				two.step()
			}
			if err := private.GoBack(two.Simulation, &snapshot); err != nil {
				t.Fatal(err)
			}
			two.tick = from
		}
		if bodies, shapes := has(one.World()); tick > 20 && len(bodies) > 3 && real.IntN(8) == 0 {
			var given []world.Command
			move(real, private.NewCommands((*kept)(&given), one.Simulation), bodies, shapes)
			for i := range given {
				c := given[i]
				one.Send(0, c)
				two.Send(0, c)
				recent = append(recent, fmt.Sprintf("tick %d: %v", tick, c))
			}
		}
		if guess.IntN(4) == 0 {
			for range two.World().Contacts() { // the loop writes to the library's contacts
			}
		}
		one.step()
		two.step()
		sameWorlds(t, fmt.Sprintf("seed %d, %+v: the peers at tick %d after %v", seed, cfg, tick, recent[max(0, len(recent)-3):]), one.World(), two.World())
	}
}

type kept []world.Command

func (k *kept) Send(_ uint64, c world.Command) { *k = append(*k, c) }
func (k *kept) Room() int                      { return 1 }

// Values that a snapshot leaves out must not influence the world. Here a command
// reads these values first, at the restored tick.
func TestPeersThatGuessWrongAndGoBackStayEqual(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for seed := range uint64(12) {
			match(t, world.Config{Stepper: stepper, Workers: 1 + int(seed%2)}, seed, 400)
		}
	}
}
