package scenes

import "halfstep/world"

// DriveCommand is the name of the command that the arrow keys give in a driven scene. Its
// arguments are the ways, -1 to 1: to the right, and up. From then on the user drives, until
// the command comes without arguments: then the scene drives again.
const DriveCommand = "drive"

// driver is what the arrow keys say.
type driver struct {
	drives bool
	x, y   float64
}

// driven makes the scene one that the arrow keys drive, and returns where what they say is.
func (b *builder) driven() *driver {
	d := &driver{}
	b.w.Keep(&d.drives, &d.x, &d.y)
	b.w.Register(DriveCommand, func(_ *world.World, args []float64) {
		if len(args) == 2 {
			d.drives, d.x, d.y = true, max(-1, min(args[0], 1)), max(-1, min(args[1], 1))
		} else if len(args) == 0 {
			d.drives = false
		}
	})
	return d
}
