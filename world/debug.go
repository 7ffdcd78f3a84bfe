package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// CaptureDebug fills the requested debug layers: the points where solid shapes touch, with
// the impulses of the last step; the bounding boxes of shapes and of segments of chains; the
// islands of bodies; and the program's drawings.
func (s *Simulation) CaptureDebug(layers body2d.Layers, d *body2d.Debug) {
	w := &s.world
	d.Contacts, d.Boxes, d.Islands, d.Drawn = d.Contacts[:0], d.Boxes[:0], d.Islands[:0], d.Drawn[:0]
	if layers&body2d.DrawnLayer != 0 {
		d.Drawn = append(d.Drawn, w.sheet.drawings...)
	}
	if layers&(body2d.ContactsLayer|body2d.ColoursLayer) != 0 {
		clear(s.colours)
		if layers&body2d.ColoursLayer != 0 && w.soft != nil {
			if s.colours == nil {
				s.colours = map[box.Contact]uint8{}
			}
			// SoftStep solves the contacts of one colour together. A contact without a colour has the
			// colour 0.
			w.soft.Colours(func(c box.Contact, colour int) { s.colours[c] = uint8(colour) + 1 })
		}
		w.contacts.captureContacts(d, s.colours)
	}
	if layers&body2d.IslandsLayer != 0 {
		d.Islands = w.places.captureIslands(w.b2, d.Islands)
	}
	if layers&body2d.BoxesLayer != 0 {
		for r := w.registry.first; r != nil; r = r.next {
			for _, sh := range r.shapes {
				captureBoxes(&r.b.M_xf, sh.fix.M_shape, d)
			}
		}
	}
}

func (k *contacts) captureContacts(d *body2d.Debug, colours map[box.Contact]uint8) {
	for c := range k.box.EachContact() {
		if !c.IsSolid() {
			continue
		}
		m := k.placed(c)
		n := m.Normal
		for k := range c.Points() {
			normal, tangent := c.Impulse(k)
			p := m.Points[k]
			d.Contacts = append(d.Contacts, body2d.DebugContact{
				X: float32(p.X), Y: float32(p.Y), NX: float32(n.X), NY: float32(n.Y),
				Impulse:  float32(normal),
				Friction: float32(tangent),
				Colour:   colours[c],
			})
		}
	}
}

// captureIslands writes, by slot, the number of each dynamic body's island: 1 + the lowest slot in the
// island. All other slots get 0. Dynamic bodies that touch or share a joint are in one island.
func (p *places) captureIslands(b *box2d.B2World, of []int32) []int32 {
	of = append(of, make([]int32, len(p.slots))...)
	for r := p.registry.first; r != nil; r = r.next {
		if r.b.M_type == box2d.B2BodyType.B2_dynamicBody {
			of[r.slot] = r.slot + 1
		}
	}
	root := func(i int32) int32 {
		for of[i] != i+1 {
			of[i] = of[of[i]-1] // shortens the path by half
			i = of[i] - 1
		}
		return i
	}
	join := func(a, b *box2d.B2Body) {
		i, k := slotOf(a), slotOf(b)
		if i < 0 || k < 0 || of[i] == 0 || of[k] == 0 {
			return
		}
		i, k = root(i), root(k)
		of[max(i, k)] = min(i, k) + 1
	}
	for c := range p.box.EachContact() {
		if c.IsSolid() {
			fA, fB := c.Shapes()
			join(fA.M_body, fB.M_body)
		}
	}
	for j := b.M_jointList; j != nil; j = j.GetNext() {
		join(j.GetBodyA(), j.GetBodyB())
	}
	for i := range of {
		if of[i] != 0 {
			of[i] = root(int32(i)) + 1
		}
	}
	return of
}

// captureBoxes computes the boxes of a shape. Box2D's own boxes are too small: Box2D subtracts the skin
// from the upper corner.
func captureBoxes(xf *box2d.B2Transform, shape box2d.B2ShapeInterface, d *body2d.Debug) {
	vs, _ := outline(shape, new([2]box2d.B2Vec2))
	each, radius := max(len(vs), 1), roundness(shape) // each is the number of corners in one box
	if _, chain := shape.(*box2d.B2ChainShape); chain {
		each = 2
	}
	for ; len(vs) >= each; vs = vs[1:] {
		lo := b2.Transform(xf, vs[0])
		hi := lo
		for _, v := range vs[1:each] {
			p := b2.Transform(xf, v)
			lo, hi = box2d.B2Vec2Min(lo, p), box2d.B2Vec2Max(hi, p)
		}
		d.Boxes = append(d.Boxes, body2d.DebugBox{
			MinX: float32(lo.X - radius), MinY: float32(lo.Y - radius),
			MaxX: float32(hi.X + radius), MaxY: float32(hi.Y + radius),
		})
	}
}
