package world

import (
	"fmt"
	"strings"
	"testing"

	"halfstep/internal/box"
)

func TestABrokenLinkIsFoundAndItsOwnerNamed(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Gravity: Vec{X: 0, Y: -10}, Stepper: stepper})
		r.ground()
		for i := range 4 {
			r.box(float64(i), .5)
		}
		r.start()
		r.run(20)
		w := r.World
		finds := func(owner string) {
			t.Helper()
			err := w.box.Validate()
			if tables, ok := w.stepper.(box.Tables); ok && err == nil {
				err = tables.Validate()
			}
			if owner == "" && err != nil || owner != "" && (err == nil || !strings.HasPrefix(err.Error(), owner)) {
				t.Errorf("%v: the validation says %v, and not that %q is broken", stepper, err, owner)
			}
		}
		finds("")
		c := &w.box.Contacts.All[0]
		c.ProxyA++
		finds("Contact[0]")
		c.ProxyA--
		c.A, c.B = c.B, c.A
		finds("Contact[0]")
		c.A, c.B = c.B, c.A
		r.registry.last.b.M_islandIndex++
		finds("Body")
		r.registry.last.b.M_islandIndex--
		w.box.Bodies.Active = append(w.box.Bodies.Active, w.box.Bodies.Active[0])
		finds("Bodies")
		w.box.Bodies.Active = w.box.Bodies.Active[:len(w.box.Bodies.Active)-1]
		for _, wrong := range []int32{-1, 1 << 30} { // must not panic
			c.A, wrong = wrong, c.A
			finds("Contact[0]")
			c.A = wrong
		}
		if stepper == SoftStep {
			own := &w.box.Contacts.Own[0]
			for k := range own.Prev {
				for _, link := range []*int32{&own.Prev[k], &own.Next[k]} {
					was := *link
					for _, *link = range []int32{-1, 1 << 30, int32(3*len(w.box.Contacts.Own) + 1), was + 1} {
						finds("Contact[")
					}
					*link = was
				}
			}
			wasA := own.A
			own.A = nil
			finds("Contact[0]")
			own.A = wasA
			finds("")
			// Let the list of contacts continue to an empty entry.
			oldest := (w.box.Contacts.Newest - 1) / 3
			for w.box.Contacts.Own[oldest].Next[0] != 0 {
				oldest = (w.box.Contacts.Own[oldest].Next[0] - 1) / 3
			}
			w.box.Contacts.All = append(w.box.Contacts.All, box.ContactEntry{})
			w.box.Contacts.Own = append(w.box.Contacts.Own, box.OwnContact{})
			w.box.Contacts.Own[oldest].Next[0] = int32(3*len(w.box.Contacts.Own) - 2)
			finds(fmt.Sprintf("Contact[%d]", oldest))
			w.box.Contacts.Own[oldest].Next[0] = 0
			finds("")
		}
		if w.soft != nil {
			of := &w.box.Shapes.All[w.box.Shapes.Last(r.registry.last.b.M_fixtureList)]
			was := *of
			of.Child++
			finds("Shape")
			*of = was
			finds("")
			continue
		}
		id := r.registry.last.b.M_fixtureList.M_proxies[0].ProxyId
		node := &w.b2.M_contactManager.M_broadPhase.M_tree.M_nodes[id]
		was := node.UserData
		node.UserData = nil
		finds("the tree")
		node.UserData = was
		finds("")
	}
}
