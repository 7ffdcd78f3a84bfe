package world

import (
	"strings"
	"testing"

	"halfstep/internal/box"
)

func TestABrokenLinkIsFoundAndItsOwnerNamed(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Gravity: Vec{0, -10}, Stepper: stepper})
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
		c := &w.box.Contact[0]
		c.ProxyA++
		finds("Contact[0]")
		c.ProxyA--
		c.A, c.B = c.B, c.A
		finds("Contact[0]")
		c.A, c.B = c.B, c.A
		r.last.b.M_islandIndex++
		finds("Body")
		r.last.b.M_islandIndex--
		w.box.Bodies = append(w.box.Bodies, w.box.Bodies[0])
		finds("Bodies")
		w.box.Bodies = w.box.Bodies[:len(w.box.Bodies)-1]
		id := r.last.b.M_fixtureList.M_proxies[0].ProxyId
		node := &w.b2.M_contactManager.M_broadPhase.M_tree.M_nodes[id]
		was := node.UserData
		node.UserData = nil
		finds("the tree")
		node.UserData = was
		finds("")
	}
}
