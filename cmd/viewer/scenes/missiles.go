package scenes

import (
	"fmt"
	"math"
	"slices"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "missiles",
		Description: "missiles chase drones around a station, explode on contact and are launched again",
		Config:      weightless(missiles),
		View:        View{Width: 49.5, Height: 29.5},
		Track:       "station",
		Category:    Forces,
		Params:      []Param{thrust, turnRate, blast},
	})
}

const (
	spaceX, spaceY = 24.0, 14.0 // m, half extents
	blastRadius    = 4.0        // m
	respawnAfter   = .8         // s
)

var (
	thrust   = Param{Name: "thrust", Unit: "m/s²", Min: 5, Max: 60, Default: 26, Step: 1}
	turnRate = Param{Name: "turning speed", Unit: "rad/s", Min: .5, Max: 12, Default: 5, Step: .5} // at most
	blast    = Param{Name: "blast", Unit: "m/s", Min: 0, Max: 25, Default: 5, Step: 1}             // at its centre
)

// craft is a missile or a drone. After an explosion it waits for its next launch.
type craft struct {
	name   string
	body   world.Body
	wait   float64 // s until the launch
	phase  float64 // phase, for a drone, is the phase of its wandering in rad.
	target int     // target, for a missile, is the index of a drone.
}

type battle struct {
	random         random
	missiles       []craft
	drones         []craft
	t              float64       // s
	missile, drone world.BodyDef // the definitions of the bodies to be launched

	thrust, turn, blastSpeed *float64 // the parameters' values
}

func missiles(b *builder) {
	b.static("border", world.ClosedChain(vec{X: -spaceX, Y: -spaceY}, vec{X: spaceX, Y: -spaceY},
		vec{X: spaceX, Y: spaceY}, vec{X: -spaceX, Y: spaceY}))
	b.body(world.BodyDef{Name: "station", Kind: world.Dynamic, AngularVelocity: .25, NoSleep: true,
		Shapes: []world.ShapeDef{dense(regular(6, 1.6), 30), dense(boxAt(0, 0, 3.6, .3, 0), 30), dense(boxAt(0, 0, .3, 3.6, 0), 30)}})
	s := &battle{
		random: 1969,
		thrust: b.param(thrust, nil), turn: b.param(turnRate, nil), blastSpeed: b.param(blast, nil),
		missile: world.BodyDef{Kind: world.Dynamic, Colour: rgb(0xff5964), AngularDamping: 1, NoSleep: true,
			Shapes: []world.ShapeDef{world.Polygon(vec{X: .7}, vec{X: -.5, Y: .3}, vec{X: -.3}, vec{X: -.5, Y: -.3})}},
		drone: world.BodyDef{Kind: world.Dynamic, Colour: rgb(0x4cc9f0), LinearDamping: .3, NoSleep: true,
			Shapes: []world.ShapeDef{bouncy(regular(8, .6), .8)}},
	}
	for i := range 8 {
		s.missiles = append(s.missiles, craft{name: fmt.Sprintf("missile%d", i+1), wait: .25 * float64(i)})
	}
	for i := range 6 {
		s.drones = append(s.drones, craft{name: fmt.Sprintf("drone%d", i+1), phase: float64(i)})
	}
	b.w.Keep(&s.random, &s.t, &s.missiles, &s.drones)
	b.control(s.fly)
	b.w.AddControllerEvery(6, world.ControllerFunc(s.aim))
	b.w.AddContactHook(s.contacts)
}

// aim makes the nearest drone the target of each missile. Ten times per second is
// often enough.
func (s *battle) aim(w *world.World, _ float64) {
	for i := range s.missiles {
		m := &s.missiles[i]
		missile, err := w.Body(m.body)
		if err != nil {
			continue
		}
		best := math.Inf(1)
		for k := range s.drones {
			if drone, err := w.Body(s.drones[k].body); err == nil {
				p, at := drone.Position, missile.Position
				if d := math.Hypot(p.X-at.X, p.Y-at.Y); d < best {
					best, m.target = d, k
				}
			}
		}
	}
}

// fly launches the craft that wait, and moves the others.
func (s *battle) fly(w *world.World, dt float64) {
	s.t += dt
	for i := range s.drones {
		d := &s.drones[i]
		if !w.Alive(d.body) {
			at := vec{X: s.random.between(-.8, .8) * spaceX, Y: s.random.between(.55, .85) * spaceY}
			if i%2 == 1 {
				at.Y = -at.Y
			}
			d.launch(w, s.drone, at, 0, dt)
			continue
		}
		s.wander(w, d, dt)
	}
	for i := range s.missiles {
		m := &s.missiles[i]
		if !w.Alive(m.body) {
			side := float64(1 - 2*(i%2))
			at := vec{X: -side * (spaceX - 1.5), Y: s.random.between(-.8, .8) * spaceY}
			m.launch(w, s.missile, at, math.Pi/2*(1-side), dt)
			continue
		}
		if target := s.drones[m.target].body; w.Alive(target) {
			s.steer(w, m.body, target, dt)
		}
	}
}

// launch makes the craft's body once the wait is over.
func (c *craft) launch(w *world.World, def world.BodyDef, at vec, angle, dt float64) {
	if c.wait -= dt; c.wait > 0 {
		return
	}
	def.Name, def.Position, def.Angle = c.name, at, angle
	if n, err := w.CreateBody(def); err == nil {
		c.body, c.wait = n, respawnAfter
	}
}

// wander makes a drone circle the station.
func (s *battle) wander(w *world.World, d *craft, dt float64) {
	b, err := w.Body(d.body)
	if err != nil {
		return
	}
	p, m := b.Position, b.Mass
	sin, cos := math.Sincos(.9*s.t + 2*d.phase)
	r := max(math.Hypot(p.X, p.Y), 1)
	around := vec{X: -p.Y / r, Y: p.X / r}
	in := 9 - r // how far the drone is from the ring of 9 m
	a := vec{X: 2*around.X + 2.5*cos + .5*in*p.X/r, Y: 2*around.Y + 2.5*sin + .5*in*p.Y/r}
	w.Impulse(d.body, vec{X: m * a.X * dt, Y: m * a.Y * dt})
}

// steer turns a missile towards the future position of its target, and pushes the
// missile.
func (s *battle) steer(w *world.World, missile, target world.Body, dt float64) {
	b, err := w.Body(missile)
	if err != nil {
		return
	}
	to, _ := w.Body(target)
	p, v, m := b.Position, b.Velocity, b.Mass
	q, u := to.Position, to.Velocity

	d := vec{X: q.X - p.X, Y: q.Y - p.Y}
	lead := min(math.Hypot(d.X, d.Y)/12, 1.5)
	aim := vec{X: d.X + lead*(u.X-.5*v.X), Y: d.Y + lead*(u.Y-.5*v.Y)}
	w.DrawLine(p, plus(p, aim.X, aim.Y), rgb(0x8a4a52))
	w.DrawPoint(plus(p, aim.X, aim.Y), rgb(0xff5964))
	want := math.Atan2(aim.Y, aim.X)
	off := math.Remainder(want-b.Angle, 2*math.Pi)
	turn := max(-*s.turn, min(*s.turn, 6*off))
	w.AngularImpulse(missile, b.Inertia*(turn-b.AngularVelocity)*min(1, 12*dt))

	// the fins make the sideways velocity decay, so that the missile flies in its
	// direction
	sin, cos := math.Sincos(b.Angle)
	side := -v.X*sin + v.Y*cos
	ahead := v.X*cos + v.Y*sin
	burn := *s.thrust * max(0, math.Cos(off))
	push := (burn - 2*ahead) * dt
	slip := -side * min(1, 3*dt)
	w.Impulse(missile, vec{X: m * (push*cos - slip*sin), Y: m * (push*sin + slip*cos)})
}

// contacts blows up missiles that have touched something, and drones that such
// missiles have touched.
func (s *battle) contacts(w *world.World, contacts []world.Event) {
	for i := range contacts {
		c := &contacts[i]
		if c.Kind != world.ContactBegin {
			continue
		}
		a, b := index(s.missiles, c.A), index(s.missiles, c.B)
		if a < 0 && b < 0 {
			continue
		}
		for _, n := range [...]world.Body{c.A, c.B} {
			if w.Alive(n) && (index(s.missiles, n) >= 0 || index(s.drones, n) >= 0) {
				w.DestroyBody(n)
			}
		}
		s.blast(w, c.Point)
	}
}

// blast pushes all missiles and drones that are near a point away from the point.
func (s *battle) blast(w *world.World, at vec) {
	for _, group := range [...][]craft{s.missiles, s.drones} {
		for i := range group {
			n := group[i].body
			b, err := w.Body(n)
			if err != nil {
				continue
			}
			d := vec{X: b.Position.X - at.X, Y: b.Position.Y - at.Y}
			r := math.Hypot(d.X, d.Y)
			if r > 1e-3 && r < blastRadius {
				k := *s.blastSpeed * (1 - r/blastRadius) / r
				kick(w, n, k*d.X, k*d.Y)
			}
		}
	}
}

// index returns the index in a group of the craft that has a body, or -1.
func index(group []craft, n world.Body) int {
	return slices.IndexFunc(group, func(c craft) bool { return c.body == n && n != 0 })
}
