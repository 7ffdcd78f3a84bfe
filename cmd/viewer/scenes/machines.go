package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "machines",
		Description: "a motor turns cogs that push each other by their teeth; a crank on the large one drives a piston to and fro",
		Config:      config(machines),
		View:        View{X: 1.3, Y: 1.1, Width: 20.5, Height: 10.6},
		Track:       "piston",
		Category:    Machines,
		Params:      []Param{cogSpeed, cogTorque},
	})
}

const (
	toothPitch = 1.0 // toothPitch is the distance between two teeth along the rim at the pitch radius, in m.
	toothDepth = .24 // toothDepth is how far a tooth extends beyond the pitch radius, and how deep a gap is below that radius, in m.
)

var (
	cogSpeed  = Param{Name: "motor speed", Unit: "rad/s", Min: -6, Max: 6, Default: 2, Step: .25}
	cogTorque = Param{Name: "motor torque", Unit: "N·m", Min: 0, Max: 1000, Default: 400, Step: 50}
)

func machines(b *builder) {
	wall := b.static("frame")
	small, large := cogRadius(9), cogRadius(18)
	hub := vec{X: -3}
	driver := plus(hub, -(small+large)*math.Cos(.5), -(small+large)*math.Sin(.5))
	idler := plus(hub, 0, small+large)

	_, motor := cog(b, wall, "motor", driver, 9, meshed(hub, driver, 18, 9), rgb(0xff5964))
	wheel, _ := cog(b, wall, "wheel", hub, 18, 0, rgb(0x4cc9f0))
	cog(b, wall, "idler", idler, 9, meshed(hub, idler, 18, 9), rgb(0xffd166))
	if b.err == nil {
		b.fail(b.w.SetMotor(motor, true, cogSpeed.Default, cogTorque.Default))
	}

	// This is the crank's pin, the rod, and the piston in its rails.
	pin := plus(hub, 1.7, 0)
	const rodLength = 6.0
	rod := b.dynamic("rod", plus(pin, rodLength/2, 0), ghostly(world.Box(rodLength/2, .12)), ghostly(world.CircleAt(-rodLength/2, 0, .25)))
	b.hinge(wheel, rod, pin)
	end := plus(pin, rodLength, 0)
	piston := b.dynamic("piston", end, rough(world.Box(.5, .7), .1))
	b.hinge(rod, piston, end)
	b.at(end, world.JointDef{Kind: world.PrismaticJoint, A: wall, B: piston})
	b.shape(wall, boxAt(6.6, .95, 4.4, .12, 0))
	b.shape(wall, boxAt(6.6, -.95, 4.4, .12, 0))

	speed, torque := b.param(cogSpeed, nil), b.param(cogTorque, nil)
	b.control(func(w *world.World, _ float64) { w.SetMotor(motor, true, *speed, *torque) })
}

// cogRadius returns the pitch radius in m. Two cogs mesh if their distance is the
// sum of their radii.
func cogRadius(teeth int) float64 { return toothPitch * float64(teeth) / (2 * math.Pi) }

// meshed returns the angle of a cog whose teeth fit into the gaps of another cog.
// The other cog is at angle 0.
func meshed(other, at vec, otherTeeth, teeth int) float64 {
	towards := math.Atan2(at.Y-other.Y, at.X-other.X)
	// how far the tooth of the other cog is past the line between the hubs, in teeth
	past := math.Remainder(towards*float64(otherTeeth)/(2*math.Pi), 1)
	return towards + math.Pi + (past+.5)*2*math.Pi/float64(teeth)
}

// cog makes a cog that turns about a point of the wall, and makes its hinge.
func cog(b *builder, wall world.Body, name string, at vec, teeth int, angle float64, colour [4]uint8) (world.Body, world.Joint) {
	r := cogRadius(teeth)
	shapes := []world.ShapeDef{rough(world.Circle(r-toothDepth), 0)}
	for i := range teeth {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(teeth))
		var p []vec
		for _, q := range [...]vec{{X: r - 1.4*toothDepth, Y: -.27}, {X: r + .8*toothDepth, Y: -.12}, {X: r + .8*toothDepth, Y: .12}, {X: r - 1.4*toothDepth, Y: .27}} {
			p = append(p, vec{X: q.X*cos - q.Y*sin, Y: q.X*sin + q.Y*cos})
		}
		shapes = append(shapes, rough(world.Polygon(p...), 0))
	}
	n := b.body(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Angle: angle, Colour: colour, NoSleep: true, Shapes: shapes})
	return n, b.at(at, world.JointDef{Kind: world.RevoluteJoint, A: wall, B: n, EnableMotor: name == "motor"})
}
