package draw

import "halfstep/buffer/body2d"

// Theme has the colours of a picture.
type Theme struct {
	Background                body2d.Colour
	Static, Kinematic         body2d.Colour
	Dynamic                   [6]body2d.Colour // bodies in neighbouring slots get neighbouring colours
	Joint, Box, Contact, Text body2d.Colour
	Impulse, Friction         body2d.Colour // the colours of a contact's impulses
	Velocity, AxisX, AxisY    body2d.Colour
	Normal, Fast              body2d.Colour
	Drawn                     body2d.Colour // for drawings of the program that have no colour
}

// DefaultTheme has the colours of the viewer.
func DefaultTheme() Theme {
	return Theme{
		Background: body2d.Colour{21, 24, 29, 255},
		Static:     body2d.Colour{102, 117, 138, 235},
		Kinematic:  body2d.Colour{56, 189, 158, 219},
		Dynamic: [6]body2d.Colour{
			{107, 166, 250, 219}, {140, 148, 250, 219}, {186, 138, 240, 219},
			{240, 135, 184, 219}, {252, 153, 122, 219}, {252, 196, 107, 219},
		},
		Joint: body2d.Colour{214, 220, 230, 170}, Box: body2d.Colour{120, 230, 160, 150},
		Contact: body2d.Colour{255, 92, 92, 235}, Text: body2d.Colour{255, 255, 255, 235},
		Impulse: body2d.Colour{255, 214, 92, 240}, Friction: body2d.Colour{255, 120, 200, 240},
		Velocity: body2d.Colour{94, 214, 160, 230}, AxisX: body2d.Colour{244, 112, 112, 255}, AxisY: body2d.Colour{120, 220, 130, 255},
		Normal: body2d.Colour{214, 160, 250, 200}, Fast: body2d.Colour{255, 90, 60, 255},
		Drawn: body2d.Colour{92, 225, 255, 255},
	}
}

// look returns the colours of a body's shape, as in shaders/palette.glsl.
func (t *Theme) look(kind uint8, slot int, own body2d.Colour, sensor bool, flags body2d.Flags, dim bool) Look {
	base := own
	if own[3] == 0 {
		switch kind {
		case 0:
			base = t.Static
		case 1:
			base = t.Kinematic
		default:
			base = t.Dynamic[slot%len(t.Dynamic)]
		}
	}
	grey := body2d.Colour{luma(base), luma(base), luma(base), base[3]}
	switch {
	case flags&body2d.Disabled != 0:
		base = blend(grey, body2d.Colour{}, .3)
		base[3] = uint8(.4 * float64(grey[3]))
	case dim && kind != 0 && flags&body2d.Awake == 0:
		base = blend(blend(base, grey, .4), t.Background, .32)
	}
	if sensor {
		fill := base
		fill[3] = uint8(.16 * float64(base[3]))
		return Look{fill, base}
	}
	edge := blend(base, body2d.Colour{}, .58)
	edge[3] = uint8(min(255, 1.15*float64(base[3])))
	return Look{base, edge}
}

func luma(c body2d.Colour) uint8 {
	return uint8(.3*float64(c[0]) + .6*float64(c[1]) + .1*float64(c[2]))
}

// blend is a colour between a and b, with the alpha of a.
func blend(a, b body2d.Colour, t float64) body2d.Colour {
	for i := range 3 {
		a[i] = uint8(float64(a[i]) + t*(float64(b[i])-float64(a[i])) + .5)
	}
	return a
}

// hues are colours that are easy to tell apart.
var hues = [...]body2d.Colour{
	{239, 83, 80, 255}, {102, 187, 106, 255}, {66, 165, 245, 255}, {255, 202, 40, 255},
	{171, 71, 188, 255}, {38, 198, 218, 255}, {255, 138, 101, 255}, {174, 213, 129, 255},
	{236, 64, 122, 255}, {121, 134, 203, 255}, {255, 241, 118, 255}, {77, 182, 172, 255},
}

// hue is the colour for a number.
func hue(n int) body2d.Colour { return hues[uint(n)%uint(len(hues))] }
