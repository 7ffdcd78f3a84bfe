package soft

import (
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/benchscene"
	"halfstep/test/norace"
)

func TestOneBodyFarAwayLeavesTheRegionsEven(t *testing.T) {
	norace.Only(t)
	for _, scene := range []string{"fall1000", "pyramid", "islands", "jointgrid"} {
		w, _ := SceneWorld(t, scene)
		s := New(w, Options{Workers: 1})
		def, disc := box2d.MakeB2BodyDef(), box2d.MakeB2CircleShape()
		def.Type, def.Position = box2d.B2BodyType.B2_dynamicBody, box2d.B2Vec2{X: 1e6, Y: -1e7}
		disc.SetRadius(1)
		w.CreateBody(&def).CreateFixture(&disc, 1)
		for range 60 {
			s.Step(1./60, 0, 0)
		}
		total := 0
		var of []int
		for k := range s.regions.count {
			r := &s.graph.painted[k]
			n := len(*s.jointSolver.held[k].batched[pins].list())
			for i := range r.colours {
				n += len(r.colours[i])
			}
			of = append(of, n)
			total += n
		}
		if len(of) < 2 {
			t.Errorf("%s: %d regions", scene, len(of))
		}
		for _, n := range of {
			if even := total / len(of); n < even*7/10 || n > even*13/10 {
				t.Errorf("%s: the regions have %d constraints", scene, of)
				break
			}
		}
		border := &s.graph.painted[s.regions.border()]
		crossing := len(*s.jointSolver.held[s.regions.border()].batched[pins].list())
		for i := range border.colours {
			crossing += len(border.colours[i])
		}
		t.Logf("%s: %d, and %d across borders", scene, of, crossing)
		if crossing > total/10 {
			t.Errorf("%s: %d of %d constraints cross borders", scene, crossing, total)
		}
		s.Close()
	}
}

func TestNoPinIsSolvedThatIsGone(t *testing.T) {
	w, _ := SceneWorld(t, "jointgrid")
	s := New(w, Options{Workers: 1})
	defer s.Close()
	s.Step(1./60, 0, 0)
	for w.M_jointList != nil {
		w.DestroyJoint(w.M_jointList)
	}
	s.Step(1./60, 0, 0)
	for k := range s.jointSolver.held {
		if n := len(*s.jointSolver.held[k].batched[pins].list()); n > 0 {
			t.Errorf("region %d has %d pins", k, n)
		}
	}
}

// Bodies come to rest. A body without contacts is made before all other bodies and is
// removed, so that the states of the others change.
func TestColoursThatAreKeptAreThoseThatAStepWouldGive(t *testing.T) {
	norace.Only(t)
	for _, name := range []string{"pyramid", "fall1000", "tumbler"} {
		w := benchscene.NewWorld()
		def, disc := box2d.MakeB2BodyDef(), box2d.MakeB2CircleShape()
		def.Type, def.GravityScale, def.Position = box2d.B2BodyType.B2_dynamicBody, 0, box2d.B2Vec2{Y: 200}
		disc.SetRadius(1)
		alone := w.CreateBody(&def)
		alone.CreateFixture(&disc, 1)
		scene, err := benchscene.Build(name)
		if err != nil {
			t.Fatal(err)
		}
		scene.AddTo(w)
		s := New(w, Options{Workers: 1})
		kept := 0
		for i := range 150 {
			if i%30 == 29 {
				alone.SetActive(!alone.IsActive())
			}
			s.Step(1./60, 0, 0)
			for k := range s.regions.count + 1 {
				r := &s.graph.painted[k]
				var had [colourCount][]entry
				for c := range r.colours {
					had[c] = slices.Clone(r.colours[c])
				}
				kept += one(s.regions.sameStates && len(had[0]) > 0)
				r.copiesWas = -1
				s.graph.colourRegion(k)
				for c := range r.colours {
					if !slices.Equal(had[c], r.colours[c]) {
						t.Fatalf("%s, step %d, region %d: colour %d has other contacts", name, i, k, c)
					}
				}
			}
		}
		if kept < 10 {
			t.Errorf("%s: a dull test: colours may have been kept %d times", name, kept)
		}
		s.Close()
	}
}
