// Package worldgen builds and runs random Box2D worlds, to compare two steppers.
//
// A [Player] builds a world from a seed: every kind of shape, joint and body, sensors,
// bullets and filters. Before every step the Player edits the world as a program might: it
// creates, destroys and moves bodies, and changes their types. Its listener logs every
// callback, and makes changes that the library allows. Two players with the same seed do
// the same while their worlds have the same bits, so the first difference in
// [Player.Digest] is a difference between the steppers.
package worldgen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"halfstep/test/worldhash"

	"github.com/ByteArena/box2d"
)

// StepFunc advances a world as box2d.B2World.Step does.
type StepFunc func(dt float64, velocityIterations, positionIterations int)

// Listening is the kind of a player's contact listener.
type Listening int

// The ways of listening.
const (
	Deaf       Listening = iota // no listener
	ReadOnly                    // logs
	Meddling                    // logs callbacks, and makes the changes that the library allows
	listenings                  // how many there are
)

// Player plays a random world.
type Player struct {
	World     *box2d.B2World
	Listening Listening
	Lazy      bool // the stepper updates manifolds only in steps

	rng     *rand.Rand
	source  *rand.PCG // of rng
	picky   int       // the kind of the world's filter; 0 for no filter
	ids     map[*box2d.B2Body]int
	nextID  int
	bodies  []*box2d.B2Body
	joints  []box2d.B2JointInterface
	extends bool // see Extend
	ground  *box2d.B2Body
	queue   []func() // functions that callbacks have put off until after the step
	tick    int
	script  []byte // the operations between steps, see Scripted; nil for random operations
	round   bool   // there are shapes that the library does not have

	log    uint64 // hash of all callbacks
	recent []string
	events int
}

// Alternating makes the world for a seed, like New. If the seed is odd, there are capsules
// and round corners, which the library does not have.
func Alternating(seed uint64) *Player { return build(seed, seed%2 == 1) }

// Scripted makes the world for a seed. The script has the operations between steps: for
// every step a byte with the number of operations, and a byte for each of them. After the
// end of the script there are no operations.
func Scripted(seed uint64, script []byte) *Player { return New(seed).follow(script) }

// AlternatingScripted does the same as Scripted in a world of Alternating.
func AlternatingScripted(seed uint64, script []byte) *Player { return Alternating(seed).follow(script) }

func (p *Player) follow(script []byte) *Player {
	p.script = script
	if script == nil {
		p.script = []byte{}
	}
	return p
}

// New makes the world for a seed, and a player for it.
func New(seed uint64) *Player { return build(seed, false) }

func build(seed uint64, round bool) *Player {
	source := rand.NewPCG(seed, 0x68616c6673746570)
	p := &Player{rng: rand.New(source), source: source, ids: map[*box2d.B2Body]int{}, round: round}
	w := box2d.MakeB2World(box2d.MakeB2Vec2(p.span(-1, 1), p.span(-12, -6)))
	p.World = &w
	p.Listening = Listening(p.rng.IntN(int(listenings)))
	p.picky = p.rng.IntN(5)
	p.listen()
	w.M_warmStarting = p.chance(0.85)
	w.M_continuousPhysics = p.chance(0.85)
	w.M_subStepping = p.chance(0.1)
	w.SetAllowSleeping(p.chance(0.7))
	w.SetAutoClearForces(p.chance(0.8))

	p.addGround()
	for n := 5 + p.rng.IntN(45); n > 0; n-- {
		p.addBody()
	}
	for n := p.rng.IntN(16); n > 0; n-- {
		p.addJoint()
	}
	return p
}

func (p *Player) listen() {
	switch p.picky {
	case 0: // none: all may collide
	case 1, 2:
		p.World.SetContactFilter(&box2d.B2ContactFilter{})
	default:
		p.World.SetContactFilter(&filter{p, box2d.B2ContactFilter{}})
	}
	p.World.SetDestructionListener(goodbyes{p})
	switch p.Listening {
	case ReadOnly, Meddling:
		p.World.SetContactListener(&listener{p})
	}
}

// Step edits the world, advances it with step, and calls the functions that callbacks have
// queued. If step panics, Step returns the value of the panic, and the world cannot be used
// any more.
func (p *Player) Step(step StepFunc) (failure any) {
	p.tick++
	p.meddle()
	dt := 1.0 / 60
	if p.chance(0.1) {
		dt = []float64{0, 1.0 / 30, 1.0 / 120, 1.0 / 10}[p.rng.IntN(4)]
	}
	velocity, position := 8, 3
	if p.chance(0.1) {
		velocity, position = p.rng.IntN(12), p.rng.IntN(6)
	}
	if failure = try(func() { step(dt, velocity, position) }); failure != nil {
		return failure
	}
	queue := p.queue
	p.queue = nil
	for _, do := range queue {
		do()
	}
	return nil
}

func try(do func()) (failure any) {
	defer func() { failure = recover() }()
	do()
	return nil
}

// Digest is a hash of the world and of all callbacks so far.
func (p *Player) Digest() uint64 { return p.DigestOf(worldhash.World) }

// DigestOf does the same as Digest with another hash function for the world.
func (p *Player) DigestOf(world func(*box2d.B2World) uint64) uint64 {
	return world(p.World)*31 + p.log
}

// Events is the number of callbacks so far.
func (p *Player) Events() int { return p.events }

// Recent describes the last few callbacks.
func (p *Player) Recent() []string { return p.recent }

// note logs a callback.
func (p *Player) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	for i := 0; i < len(s); i++ {
		p.log = (p.log ^ uint64(s[i])) * 1099511628211
	}
	p.log++
	p.events++
	if len(p.recent) >= 20 {
		p.recent = append(p.recent[:0], p.recent[1:]...)
	}
	p.recent = append(p.recent, s)
}

// span is a random number in a range. The conversion keeps the product from being fused
// with the sum, so that worlds are the same on every processor.
func (p *Player) span(from, to float64) float64 { return from + float64((to-from)*p.rng.Float64()) }

// zero is 0 or -0, whose sums have different bits.
func (p *Player) zero() float64 {
	if p.chance(0.5) {
		return math.Copysign(0, -1)
	}
	return 0
}

func (p *Player) chance(of float64) bool { return p.rng.Float64() < of }

func (p *Player) point(size float64) box2d.B2Vec2 {
	return box2d.MakeB2Vec2(p.span(-size, size), p.span(-size, size))
}

func (p *Player) anyBody() *box2d.B2Body {
	if len(p.bodies) == 0 {
		return nil
	}
	return p.bodies[p.rng.IntN(len(p.bodies))]
}
