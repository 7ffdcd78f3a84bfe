package scenes

import "halfstep/world"

// DriveCommand is the name of the command that the arrow keys send in a driven scene. Its two
// arguments say how far to the right and how far up to drive, each from -1 to 1. After the
// command the user drives. Without arguments the command lets the scene drive again.
const DriveCommand = "drive"

// driver has the arguments of the last DriveCommand.
type driver struct {
	drives bool
	x, y   float64
}

// driven lets the arrow keys drive the scene. It returns the driver, which has the state of
// the keys.
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
