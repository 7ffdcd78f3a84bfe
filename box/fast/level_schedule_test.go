package fast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"
)

// The constraints of each body must keep their original order. Then each constraint
// finds the same values as in that order.
func TestEachBodyMeetsItsConstraintsInTheLibrarysOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c levelSchedule
	for round := range 200 {
		bodies := 2 + r.IntN(40)
		inert := make([]bool, bodies)
		for i := range inert {
			inert[i] = r.IntN(8) == 0
		}
		c.reset(bodies)
		for range 3 { // three lists, one after the other, as with islands
			list := make([][2]int32, r.IntN(200))
			for i := range list {
				a, b := r.IntN(bodies), r.IntN(bodies-1)
				if b >= a {
					b++
				}
				list[i] = [2]int32{int32(a), int32(b)}
				c.add(int32(a), int32(b), inert)
			}
			places := c.order([]int32{-7})
			if places[0] != -7 || len(places) != len(list)+1 {
				t.Fatalf("round %d: %d constraints, %d places", round, len(list), len(places)-1)
			}
			places = places[1:]
			sorted := slices.Clone(places)
			slices.Sort(sorted)
			for i, p := range sorted {
				if int(p) != i {
					t.Fatalf("round %d: the places are no permutation", round)
				}
			}
			last := make([]int32, bodies)
			for i, ends := range list {
				for _, body := range ends {
					if inert[body] {
						continue
					}
					if places[i]+1 <= last[body] {
						t.Fatalf("round %d: body %d meets constraint %d before an earlier one", round, body, i)
					}
					last[body] = places[i] + 1
				}
			}
		}
	}
}

func TestIndependentConstraintsStandSideBySide(t *testing.T) {
	var c levelSchedule
	c.reset(9)
	// There are two chains, over the bodies 1 to 4 and over the bodies 5 to 8. Both
	// touch the ground, body 0.
	inert := []bool{true, false, false, false, false, false, false, false, false}
	for _, first := range []int32{1, 5} {
		c.add(0, first, inert)
		for i := range int32(3) {
			c.add(first+i, first+i+1, inert)
		}
	}
	if got, want := c.order(nil), []int32{0, 2, 4, 6, 1, 3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("places %v, want %v", got, want)
	}
}

func TestOnlyABodyWithoutMassAndMinusZeroIsInert(t *testing.T) {
	minusZero := math.Copysign(0, -1)
	for name, change := range map[string]func(b *box2d.B2Body){
		"mass":             func(b *box2d.B2Body) { b.M_invMass = 1 },
		"inertia":          func(b *box2d.B2Body) { b.M_invI = 1 },
		"x":                func(b *box2d.B2Body) { b.M_sweep.C.X = minusZero },
		"y":                func(b *box2d.B2Body) { b.M_sweep.C.Y = minusZero },
		"angle":            func(b *box2d.B2Body) { b.M_sweep.A = minusZero },
		"x velocity":       func(b *box2d.B2Body) { b.M_linearVelocity.X = minusZero },
		"y velocity":       func(b *box2d.B2Body) { b.M_linearVelocity.Y = minusZero },
		"angular velocity": func(b *box2d.B2Body) { b.M_angularVelocity = minusZero },
	} {
		var b box2d.B2Body
		if !isInert(&b) {
			t.Fatal("a body at rest without mass is not inert")
		}
		if change(&b); isInert(&b) {
			t.Errorf("%s: inert", name)
		}
	}
}

func TestABodyOfAnEarlierIslandIsNoticed(t *testing.T) {
	is := islandSolver{worldIndex: []int32{4, 2}, islandIndex: []int32{1, 5, 1, 0, 0}}
	for _, c := range []struct {
		contact islandContact
		want    bool
	}{
		{islandContact{indexA: 4, indexB: 2}, false},
		{islandContact{indexA: 4, indexB: 0}, true}, // body 0 has the index that body 2 has now
		{islandContact{indexA: 3, indexB: 2}, true},
		{islandContact{indexA: 2, indexB: 1}, true}, // the island of body 1 had more bodies
	} {
		if got := is.hasStaleBody([]islandContact{{indexA: 4, indexB: 2}, c.contact}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
