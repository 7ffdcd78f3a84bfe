package main

import "halfstep/world"

const (
	playerW, playerH = .3, .5 // half the width and half the height, m
	runSpeed         = 5.0    // m/s
	jumpSpeed        = 7.6    // m/s, which is 2.9 m high
	airPush          = 12.0   // m/s²
	coyoteTime       = 6      // ticks after the edge of a platform in which a jump still counts
	jumpBuffer       = 6      // ticks before landing in which a jump already counts
)

// The names of the functions that an input calls. They have names so that a
// recording can hold the calls.
const (
	walk = "walk" // with the direction, -1 to 1
	jump = "jump"
)

// player is the figure's part on the physics goroutine.
type player struct {
	body      world.Body
	feet      world.Shape
	wish      float64 // the direction that it walks in, -1 to 1
	wantsJump int     // ticks for which a jump is still wanted
	ground    int     // ticks for which the player still counts as on the ground
}

// player makes the figure: a trunk that slides along walls, and feet that grip.
// The surface of the feet moves when it walks, so it walks as fast on a lift or
// on a belt, relative to what it stands on.
func (b *builder) player() {
	trunk := world.Polygon(world.Vec{X: -playerW, Y: -playerH + .1}, world.Vec{X: playerW, Y: -playerH + .1},
		world.Vec{X: playerW, Y: playerH}, world.Vec{X: -playerW, Y: playerH})
	trunk.Friction, trunk.Density = 0, 20
	feet := world.Polygon(world.Vec{X: -playerW + .08, Y: -playerH}, world.Vec{X: playerW - .08, Y: -playerH},
		world.Vec{X: playerW - .02, Y: -playerH + .1}, world.Vec{X: -playerW + .02, Y: -playerH + .1})
	feet.Friction, feet.Density = 2, 20
	b.l.player.body = b.body(world.BodyDef{
		Name: "player", Kind: world.Dynamic, Position: world.Vec{X: 0, Y: .6}, FixedRotation: true, NoSleep: true,
		Shapes: []world.ShapeDef{trunk, feet}, Colour: red,
	})
	if b.err == nil {
		var shapes []world.Shape
		if shapes, b.err = b.w.Shapes(b.l.player.body); b.err == nil {
			b.l.player.feet = shapes[1]
		}
	}
}

func (p *player) walk(w *world.World, args []float64) {
	p.wish = min(max(args[0], -1), 1)
	_ = w.SetSurfaceSpeed(p.feet, p.wish*runSpeed)
}

// move jumps if the player wants to and stands, and takes one that fell back to
// the start. It runs before every step.
func (p *player) move(w *world.World, dt float64) {
	at, err := w.Body(p.body)
	if err != nil {
		return
	}
	p.wantsJump, p.ground = max(p.wantsJump-1, 0), max(p.ground-1, 0)
	if p.stands(w) {
		p.ground = coyoteTime
	}
	if p.wantsJump > 0 && p.ground > 0 && at.Velocity.Y < jumpSpeed/2 {
		_ = w.Impulse(p.body, world.Vec{Y: at.Mass * (jumpSpeed - at.Velocity.Y)})
		p.wantsJump, p.ground = 0, 0
	}
	if p.ground == 0 { // feet have no grip in the air
		change := min(max(p.wish*runSpeed-at.Velocity.X, -airPush*dt), airPush*dt)
		_ = w.Impulse(p.body, world.Vec{X: at.Mass * change})
	}
	if at.Position.Y < -8 {
		_ = w.Teleport(p.body, world.Vec{Y: .6}, 0)
		_ = w.SetVelocity(p.body, world.Vec{})
	}
}

func (p *player) stands(w *world.World) bool {
	for c := range w.Contacts() {
		up := c.Normal.Y // from A to B
		if c.A == p.body {
			up = -up
		} else if c.B != p.body {
			continue
		}
		if up > .6 {
			return true
		}
	}
	return false
}
