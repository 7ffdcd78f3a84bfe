package world

import (
	"runtime"
	"testing"

	"halfstep/test/norace"
)

// crate is a row of boxes that approach each other and part again, without touching.
type crate struct {
	*rig
	boxes []Body
}

func newCrate(t *testing.T, stepper Stepper, n int) *crate {
	r := newRig(t, Config{NoGravity: true, Stepper: stepper, Workers: 1})
	c := &crate{rig: r}
	for i := range n {
		b, err := r.CreateBody(BodyDef{Kind: Dynamic, NoSleep: true, Position: cell(i, 3), Shapes: []ShapeDef{Box(0.5, 0.5)}})
		if err != nil {
			t.Fatal(err)
		}
		c.boxes = append(c.boxes, b)
	}
	r.start()
	t.Cleanup(r.Close)
	return c
}

func cell(i int, apart float64) Vec {
	const columns = 40
	return Vec{X: float64(i%columns) * apart, Y: float64(i/columns) * apart}
}

func (c *crate) spread(apart float64) {
	for i, b := range c.boxes {
		if err := c.Teleport(b, cell(i, apart), 0); err != nil {
			c.t.Fatal(err)
		}
	}
}

// step runs one step, and returns its number of allocations.
func (c *crate) step() uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.tick++
	c.Step(c.tick, dt)
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

const crowded = 1.05 // near enough that the fat boxes of neighbours overlap

func TestContactsAreNotAllocatedOneByOne(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		c := newCrate(t, stepper, 2000)
		c.step()
		c.spread(crowded)
		if n, began := c.step(), c.World.box.Contacts.Count(); n > uint64(began)/50 || began < 6000 {
			t.Errorf("%s: %d allocations in a step in which %d contacts begin", stepper, n, began)
		}
	}
}

func TestContactsThatBeginAllocateNothingOnceAsManyHaveEnded(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		c := newCrate(t, stepper, 400)
		total, began := uint64(0), 0
		for cycle := range 12 {
			c.spread(3)
			n := c.step()
			if left := c.World.box.Contacts.Count(); left > 0 {
				t.Fatalf("%s: %d contacts are left", stepper, left)
			}
			c.spread(crowded)
			n += c.step()
			if began = c.World.box.Contacts.Count(); cycle >= 4 {
				total += n
			}
		}
		if total > 4 || began < 1000 { // the runtime allocates now and then
			t.Errorf("%s: %d allocations while %d contacts end and begin 8 times", stepper, total, began)
		}
	}
}

// A snapshot contains the contacts themselves, and not only their addresses.
func TestASnapshotBringsBackContactsWhoseMemoryOthersHave(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		c := newCrate(t, stepper, 60)
		c.spread(crowded)
		c.run(3)
		var s Snapshot
		if err := c.Snapshot(&s); err != nil {
			t.Fatal(err)
		}
		c.run(1)
		want := c.StateHash()
		for range 3 {
			c.spread(3)
			c.run(2)
			c.boxes[7], c.boxes[8] = c.boxes[8], c.boxes[7] // so that other contacts begin
			c.boxes[20], c.boxes[41] = c.boxes[41], c.boxes[20]
			c.spread(crowded)
			c.run(2)
			if err := c.Restore(&s); err != nil {
				t.Fatal(err)
			}
			c.run(1)
			if got := c.StateHash(); got != want {
				t.Errorf("%s: the hash of a step after is %x, not %x", stepper, got, want)
			}
		}
	}
}
