package picture

import (
	"fmt"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/glrender"
)

// Half returns the surface for the world. This is the part that the panel does not cover, or the left
// half of that part.
func (v *Picture) Half() input.Surface {
	s := v.Surface
	s.W -= v.controls.Width(s)
	if v.session.Stage.Right != nil {
		s.W = (s.W + 1) / 2
	}
	return s
}

// Left returns the viewport of the left half. If nothing is compared, it returns the viewport of the
// whole picture.
func (v *Picture) Left() glrender.Viewport {
	s := v.Half()
	return glrender.Viewport{W: s.W, H: s.H, Scale: s.Scale}
}

// drawRight draws the right half, if there is one.
func (v *Picture) drawRight() error {
	o := v.session.Stage.Right
	if o == nil {
		v.closeGL(onRight)
		return nil
	}
	gl := v.GL[onRight]
	if gl == nil {
		var err error
		if gl, err = glrender.New(); err != nil {
			return err
		}
		v.GL[onRight] = gl
	}
	gl.BeginFrame()
	fb := v.Left()
	fb.X, fb.W = fb.W, v.Surface.W-v.controls.Width(v.Surface)-fb.W
	// Both viewports have the same height, and the camera is centred in each. Both halves therefore
	// show the same part of the world.
	return gl.Draw(o.View, v.Camera.Camera, fb, v.Layers)
}

var dividerColour = colour{255, 255, 255, 120}

// label draws the line between the halves, and a label for each half beside the line.
func (v *Picture) label(c *glrender.HUD) {
	if v.session.Stage.Right == nil {
		return
	}
	_, height := c.Size()
	c.Rect(float32(v.Half().W)/c.Unit()-.5, 0, 1, height, dividerColour)
	for _, t := range v.Tags() {
		c.Panel(t.X, t.y, t.W, t.h, 5, panelColour)
		y := t.y + Padding/2
		for line := range strings.SplitSeq(t.Text, "\n") {
			c.Label(t.X+Padding, y, glrender.Regular, textColour, line)
			y += glrender.LabelHeight
		}
	}
}

// tag is a label and its position, in units of the HUD.
type tag struct {
	Text       string
	X, y, W, h float32
}

// Tags returns the labels of the left and the right half, which are beside the line between the
// halves. If a label is too wide for its half, both labels are broken into one line for each part.
func (v *Picture) Tags() [2]tag {
	unit := float32(glrender.Unit(v.Surface.Scale))
	middle, width := float32(v.Half().W)/unit, float32(v.Surface.W-v.controls.Width(v.Surface))/unit
	left, right := v.Labels()
	if max(LabelWidth(int(unit), left), LabelWidth(int(unit), right)) > min(middle, width-middle)-2*(Margin+Padding) {
		left, right = strings.ReplaceAll(left, "  ", "\n"), strings.ReplaceAll(right, "  ", "\n")
	}
	tags := [2]tag{{Text: left}, {Text: right}}
	for i := range tags {
		t := &tags[i]
		t.W, t.h = 2*Padding, Padding
		for line := range strings.SplitSeq(t.Text, "\n") {
			t.W, t.h = max(t.W, LabelWidth(int(unit), line)+2*Padding), t.h+glrender.LabelHeight
		}
	}
	tags[0].X, tags[1].X = middle-Margin-tags[0].W, middle+Margin
	y := float32(Margin)
	if v.HUD.On && tags[0].X < PanelWidth+2*Margin && !v.controls.Crowds(v.Surface) {
		y += HudTall + Margin // below the metrics
	}
	tags[0].y, tags[1].y = y, y
	return tags
}

// Labels returns the text of each half: its settings, and how evenly it moves.
func (v *Picture) Labels() (left, right string) {
	o := v.session.Stage.Right
	var names [2]string
	switch c := &v.session.Comparer.Compare; c.Kind {
	case play.OtherRecording:
		names = [...]string{v.session.Stage.Scene().Listed(), c.Name}
	case play.LeftRun:
		names = [...]string{"now", c.Name}
	}
	steppers := [...]string{v.session.Stage.Settings.StepperOf(&v.session.Stage.SceneConfig).String(), o.Settings.StepperOf(&v.session.Stage.SceneConfig).String()}
	left = halfLabel(names[0], v.session.Stage.Player, o.Player, &v.session.Stage.Settings, &o.Settings, steppers[0], steppers[1])
	right = halfLabel(names[1], o.Player, v.session.Stage.Player, &o.Settings, &v.session.Stage.Settings, steppers[1], steppers[0])
	if at, ended := v.session.Comparer.Ended(); ended {
		right = fmt.Sprintf("%s  ended at %.1f s", names[1], at) // that run no longer moves, so it has no animation error
	}
	if d, ok := v.session.Sampler.Apart(); ok {
		right += "  " + v.session.Sampler.Tracked[0].Label + string(v.Figures.Line().Str(" ").Apart(d).Str(" apart"))
	}
	return left, right
}

// halfLabel returns the text for a half: its name if it has one, the settings in which it differs from
// the other half, and its animation error once that is known. The parameters e, s and stepper belong
// to the half. The parameters o, other and others belong to the other half.
func halfLabel(name string, e, o *play.Player, s, other *play.Settings, stepper, others string) string {
	var says []string
	if name != "" {
		says = append(says, name)
	}
	differs := func(mine, others string) {
		if mine != others {
			says = append(says, mine)
		}
	}
	differs(stepper, others)
	differs(loopLabel(e), loopLabel(o))
	differs(e.View().Smoothing.String(), o.View().Smoothing.String())
	if e.Name == "" && o.Name == "" { // both run the engine's own loop, which has pacing
		differs(pacedLabel(s.Pacing), pacedLabel(other.Pacing))
	}
	if len(says) == 0 {
		says = append(says, "the same")
	}
	if m := e.Metrics().Motion; m.Frames > 1 {
		says = append(says, "uneven by "+string(words.Line(nil).Ms(m.RMS)))
	}
	return strings.Join(says, "  ")
}

// loopLabel returns the name of the loop of a half. For the engine's own loop it returns the sync
// mode.
func loopLabel(e *play.Player) string {
	if e.Name != "" {
		return e.Name
	}
	return e.Engine.Sync().String()
}

func pacedLabel(on bool) string {
	if on {
		return "paced"
	}
	return "not paced"
}

// markApart outlines the bodies that have different positions in the two halves.
func (v *Picture) markApart(p *pen, view *play.View) {
	if !v.session.Comparer.Together() || !v.session.Comparer.Compare.Replays() || v.session.Stage.Right == nil {
		return
	}
	other := v.session.Stage.View
	if view == other {
		other = v.session.Stage.Right.View
	}
	for slot, n := 0, 0; slot < len(view.Cur) && n < mostMarks; slot++ {
		if slot >= len(other.Cur) || !samePlace(&view.Cur[slot], &other.Cur[slot]) {
			v.painter.Outline(p.canvas, view, slot, apartColour)
			n++
		}
	}
}

// samePlace reports whether two states have the same position and angle. Their flags may differ
// after a seek, because flags also depend on how the body moved there.
func samePlace(a, b *body2d.State) bool {
	return a.X == b.X && a.Y == b.Y && a.Angle == b.Angle && a.Turns == b.Turns
}
