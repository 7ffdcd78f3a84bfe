package panel

import (
	"strconv"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// partList is the list of bodies, shapes and joints on the page Body. A search looks for all three.
// Without a search the list has all bodies, and the shapes and joints of the chosen body.
type partList struct {
	Search string
	scroll ui.Scroll
	Rows   []PartRow
	of     partsOf // of has the data from which rows was made (see fill).
	shown  Part    // shown is the part to which the list was last scrolled.
	Names  rowNames
}

// Part is the object that a row chooses.
type Part struct {
	Body  world.Body  // Body is the body of the part. For a joint it is one of the joint's two bodies.
	Shape world.Shape // may be 0
	Joint world.Joint // may be 0
}

// PartRow is a line of the list.
type PartRow struct {
	Part
	name, kind string
	slot       int    // slot is the slot of the body. For a joint it is the slot of the body in the field other.
	other      string // other, for a joint, is the name of the body that the row mentions.
}

// partsOf has all data that the rows depend on. The rows are made again only when it changes.
type partsOf struct {
	scene                  *scene.Scene
	bodies, shapes, joints uint64
	search                 string
	open                   world.Body // the chosen body
}

// fill makes the rows for a scene if they must change. The parameter open is the chosen body.
func (l *partList) fill(s *scene.Scene, open world.Body) {
	of := partsOf{s, s.BodiesVersion, s.ShapesVersion, s.JointsVersion, l.Search, open}
	if of == l.of {
		return
	}
	l.of, l.Rows = of, l.Rows[:0]
	search := strings.ToLower(strings.TrimSpace(l.Search))
	found := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(strings.ToLower(w), search) {
				return true
			}
		}
		return false
	}
	for slot := range s.Bodies {
		b := &s.Bodies[slot]
		if !b.Exists {
			continue
		}
		body := Part{Body: world.Body(b.Handle)}
		if kind := world.BodyKind(b.Type).String(); search == "" || found(b.Name, kind) || search == "#"+strconv.Itoa(slot) {
			l.Rows = append(l.Rows, PartRow{Part: body, name: b.Name, kind: kind, slot: slot})
		}
		if search == "" && body.Body != open {
			continue
		}
		last := world.Shape(0)
		for g := range s.ShapesOf(slot) {
			if kind := shapeWord(g); world.Shape(g.Handle) != last && found(g.Name, kind) { // a chain has several pieces
				last = world.Shape(g.Handle)
				l.Rows = append(l.Rows, PartRow{Part: Part{body.Body, last, 0}, name: g.Name, kind: kind, slot: slot})
			}
		}
		if search == "" {
			l.addJoints(s, func(j *scene.Joint) bool { return int(j.SlotA) == slot || int(j.SlotB) == slot }, slot)
		}
	}
	if search != "" {
		l.addJoints(s, func(j *scene.Joint) bool { return found(j.Name, world.JointKind(j.Kind).String(), "joint") }, -1)
	}
}

// addJoints adds rows for the joints for which listed returns true. If all joints belong to one
// body, the parameter from is the slot of that body, and a row names the body at the other end.
// Otherwise from is -1.
func (l *partList) addJoints(s *scene.Scene, listed func(*scene.Joint) bool, from int) {
	for i := range s.Joints {
		j := &s.Joints[i]
		if !listed(j) {
			continue
		}
		row := PartRow{Part: Part{Joint: world.Joint(j.Handle)}, name: j.Name, kind: world.JointKind(j.Kind).String(), slot: int(j.SlotA)}
		if row.slot == from || row.slot < 0 {
			row.slot = int(j.SlotB)
		}
		at := int(j.SlotB)
		if from >= 0 {
			at = from
		}
		if row.slot >= 0 {
			row.other = s.Bodies[row.slot].Name
		}
		if at >= 0 {
			row.Body = world.Body(s.Bodies[at].Handle)
		}
		l.Rows = append(l.Rows, row)
	}
}

// shapeWord returns a word for the kind of a shape as it is drawn.
func shapeWord(g *scene.Shape) string {
	switch {
	case g.Kind == body2d.Disc:
		return "circle"
	case g.Kind == body2d.Polyline:
		return "line"
	case g.N == 2:
		return "capsule"
	}
	return "polygon"
}

// layParts lays out the list. A click on a row chooses the part of the row.
func (v *bodyPane) layParts(c *ui.Context, tall float32) {
	l, n := &v.Parts, v.session.Inspect
	if text, _ := c.Field("search parts", c.Next(24), "find a body, shape or joint", noKey, l.Search); text != l.Search {
		l.Search = text
		v.session.Uses.Count("search parts")
	}
	c.Tip("a part of a name or kind, or a number such as #7", noKey)
	c.Space(3)
	l.fill(v.session.Inspect.Inspected().View().Scene, n.Body)
	now := Part{n.Body, n.Shape, n.Joint}
	c.BeginScroll(&l.scroll, c.Next(tall))
	if now != l.shown {
		for i := range l.Rows {
			if l.Rows[i].Part == now {
				l.shown = now // a new part has no row yet; the list scrolls to it later
				c.Space(float32(20 * i))
				c.Reveal(20)
				c.Space(float32(-20 * i)) // go back to the beginning of the rows
			}
		}
	}
	var chosen *PartRow
	c.Rows(len(l.Rows), 20, func(i int, at ui.Rect) {
		if row := &l.Rows[i]; c.Item(l.Names.of("part ", i), at, v.PartText(row), row.Part == now) {
			chosen = row
		}
	})
	if len(l.Rows) == 0 {
		c.Say(c.Next(20), ui.Start, ui.Faint, "no name or kind has this in it")
	}
	c.EndScroll()
	c.Space(6)
	if chosen == nil {
		return
	}
	v.session.Uses.Count("part")
	n.ChooseIn(chosen.Body, n.Right && v.session.Stage.Right != nil)
	n.Shape, n.Joint = chosen.Shape, chosen.Joint
	l.shown = Part{n.Body, n.Shape, n.Joint} // do not scroll to the part, because it is under the cursor
	if p, ok := v.session.Inspect.Inspected().Pose(n.Body); ok && !v.picture.Camera.Contains(p.CentreX, p.CentreY, v.picture.Half()) {
		v.picture.Camera.Away()
		v.picture.Camera.X, v.picture.Camera.Y = p.CentreX, p.CentreY
	}
}

// PartText returns the text of a row.
func (v *bodyPane) PartText(r *PartRow) string {
	named := func(t words.Line, name string, slot int) words.Line {
		if slot < 0 {
			return t.Str(name)
		}
		if t = t.Str("#").Int(int64(slot)); name != "" {
			t = t.Str(" ").Str(name)
		}
		return t
	}
	t := v.picture.Figures.Line()
	if r.Shape == 0 && r.Joint == 0 {
		return named(t, r.name, r.slot).Str(", ").Str(r.kind).S()
	}
	if t = t.Str("   ").Str(r.kind); r.name != "" {
		t = t.Str(" ").Str(r.name)
	}
	if r.Joint != 0 {
		t = named(t.Str(" to "), r.other, r.slot)
	}
	return t.S()
}
