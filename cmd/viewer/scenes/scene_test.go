package scenes

import (
	"math"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/engine"
	"halfstep/world"
)

func TestEverySceneOfTheManualExists(t *testing.T) {
	for _, name := range strings.Fields(`drift spin blocks pyramid tumbler fall1000 fall5000 jointgrid islands
		joints car cradle bullets buoyancy wind missiles spring sensors rain teleport`) {
		if _, ok := Lookup(name); !ok {
			t.Errorf("there is no scene %q", name)
		}
	}
	if s, ok := Lookup("nosuch"); ok {
		t.Errorf("there is a scene %q", s.Name)
	}
}

func TestScenesAreSortedByName(t *testing.T) {
	all := All()
	for i := 1; i < len(all); i++ {
		if all[i-1].Name >= all[i].Name {
			t.Errorf("%q comes before %q", all[i-1].Name, all[i].Name)
		}
	}
}

func TestFollowedBodiesExistFromTheStart(t *testing.T) {
	for _, s := range All() {
		if s.Follow != "" {
			find(t, open(t, s), s.Follow)
		}
	}
}

func TestTrackedBodiesExistAndCanBeNamedInAFlag(t *testing.T) {
	for _, s := range All() {
		w := open(t, s)
		if s.Track != "" {
			n, ok := w.Find(s.Track)
			if !ok {
				t.Errorf("%s: no body is named %q", s.Name, s.Track)
			} else if b, _ := w.Body(n); b.Kind != world.Dynamic {
				t.Errorf("%s: %q is not dynamic", s.Name, s.Track)
			}
		}
		for n := range w.Bodies() {
			if b, _ := w.Body(n); strings.ContainsAny(b.Name, ", \t\n") {
				t.Errorf("%s: -track cannot name the body %q", s.Name, b.Name)
			}
		}
	}
}

func TestThePlatformersHallIsInItsView(t *testing.T) {
	s := lookup(t, "platformer")
	across, tall := s.View.Width/2, s.View.Height/2
	w := open(t, s)
	for b := w.Box2D().GetBodyList(); b != nil; b = b.GetNext() {
		for f := b.GetFixtureList(); f != nil; f = f.GetNext() {
			box := f.GetAABB(0)
			if box.LowerBound.X < s.View.X-across || box.UpperBound.X > s.View.X+across ||
				box.LowerBound.Y < s.View.Y-tall || box.UpperBound.Y > s.View.Y+tall {
				t.Errorf("something lies beyond the picture, at %v to %v", box.LowerBound, box.UpperBound)
			}
		}
	}
}

// A wall that ends just outside the picture looks as if it were cut off. Ground that
// continues does not.
func TestNothingThatStandsIsCutOffByALittle(t *testing.T) {
	const little = .9 // m
	for _, s := range All() {
		if s.View.Width == 0 || s.Follow != "" {
			continue
		}
		left, right := math.Inf(1), math.Inf(-1)
		w := open(t, s)
		for b := w.Box2D().GetBodyList(); b != nil; b = b.GetNext() {
			if b.GetType() == box2d.B2BodyType.B2_dynamicBody {
				continue
			}
			for f := b.GetFixtureList(); f != nil; f = f.GetNext() {
				for i := range f.GetShape().GetChildCount() {
					box := f.GetAABB(i)
					left, right = min(left, box.LowerBound.X), max(right, box.UpperBound.X)
				}
			}
		}
		across := s.View.Width / 2
		for side, beyond := range map[string]float64{"left": s.View.X - across - left, "right": right - s.View.X - across} {
			if beyond > 0 && beyond < little {
				t.Errorf("%s: something ends %.2f m beyond the %s of the picture", s.Name, beyond, side)
			}
		}
	}
}

func TestRegisterRefusesWhatCanNotBeListed(t *testing.T) {
	good := Scene{Name: "good", Description: "fine", Config: func() engine.Config { return engine.Config{} }}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*Scene){
		"no name":                func(s *Scene) { s.Name = "" },
		"a blank in the name":    func(s *Scene) { s.Name = "two words" },
		"a name that is taken":   func(s *Scene) { s.Name = "drift" },
		"no description":         func(s *Scene) { s.Description = "" },
		"a tab":                  func(s *Scene) { s.Description = "a\tb" },
		"a second line":          func(s *Scene) { s.Description = "a\nb" },
		"no Config":              func(s *Scene) { s.Config = nil },
		"a view of no height":    func(s *Scene) { s.View.Height = -1 },
		"a name with upper case": func(s *Scene) { s.Name = "Drift" },
	} {
		s := good
		spoil(&s)
		if s.check() == nil {
			t.Errorf("%s was accepted", what)
		}
		func() {
			defer func() { recover() }()
			Register(s)
			t.Errorf("Register took %s", what)
		}()
	}
}

func TestADrivenSceneSaysWhatDrivesIt(t *testing.T) {
	for _, s := range All() {
		if s.Driven && !strings.Contains(s.Description, "arrow keys") {
			t.Errorf("%s: %q", s.Name, s.Description)
		}
	}
}
