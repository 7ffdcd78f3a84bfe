package world

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"halfstep/test/norace"
)

func disc(x, y float64) BodyDef {
	return BodyDef{Kind: Dynamic, Position: Vec{X: x, Y: y}, Shapes: []ShapeDef{Circle(.5)}}
}

// everyStepper runs a test with each stepper.
func everyStepper(t *testing.T, cfg Config, test func(*testing.T, *driven)) {
	for name, stepper := range map[string]Stepper{"fast": FastStep, "soft": SoftStep} {
		t.Run(name, func(t *testing.T) {
			cfg.Stepper = stepper
			w := newDriven(cfg)
			defer w.Close()
			test(t, w)
		})
	}
}

func TestABodyThatWouldCrowdTheWorldIsRefused(t *testing.T) {
	everyStepper(t, Config{NoGravity: true, MaxContacts: 100}, func(t *testing.T, w *driven) {
		made := 0
		for range 30 {
			if _, err := w.CreateBody(disc(0, 0)); err == nil {
				made++
			} else if !errors.Is(err, ErrCrowded) || !oneLine(err) {
				t.Fatal(err)
			}
		}
		const most = 14 // 14·13/2 = 91 pairs
		if c := w.Counts(); made != most || c.Bodies != most || w.Box2D().GetBodyCount() != most {
			t.Fatalf("%d made, %d there", made, c.Bodies)
		}
		w.Step(1, dt)
		if c := w.Counts(); c.Contacts != 91 {
			t.Errorf("%d contacts", c.Contacts)
		}
		if _, err := w.CreateBody(disc(0, 0)); !errors.Is(err, ErrCrowded) {
			t.Errorf("after a step: %v", err)
		}
		if _, err := w.CreateBody(disc(10, 0)); err != nil {
			t.Errorf("elsewhere: %v", err)
		}
	})
}

func TestShapesThatAFilterKeepsApartDoNotCrowd(t *testing.T) {
	w := newDriven(Config{NoGravity: true, MaxContacts: 10})
	defer w.Close()
	debris := disc(0, 0)
	debris.Shapes[0].Filter = Filter{Group: -1}
	wall := disc(50, 0)
	wall.Kind = Static
	off := disc(100, 0)
	off.Disabled = true
	for range 20 {
		for _, d := range []BodyDef{debris, wall, off} {
			if _, err := w.CreateBody(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Step(1, dt)
	if c := w.Counts(); c.Bodies != 60 || c.Contacts != 0 {
		t.Errorf("%+v", c)
	}
}

// Filters help only up to a limit, because the search finds each pair before it asks
// the filters.
func TestTooManyFilteredPairsAreRefusedToo(t *testing.T) {
	w := newDriven(Config{NoGravity: true, MaxContacts: 10})
	defer w.Close()
	debris := disc(0, 0)
	debris.Shapes[0].Filter = Filter{Group: -1}
	var err error
	for n := 0; n < 100 && err == nil; n++ {
		_, err = w.CreateBody(debris)
	}
	if !errors.Is(err, ErrCrowded) {
		t.Error(err)
	}
}

func TestChangesThatWouldCrowdTheWorldAreRefused(t *testing.T) {
	w := newDriven(Config{NoGravity: true, MaxContacts: 10})
	defer w.Close()
	for range 5 { // 10 pairs
		if _, err := w.CreateBody(disc(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	far, _ := w.CreateBody(disc(20, 0))
	still := disc(20.3, 0)
	still.Kind = Static
	off := disc(0, 0)
	off.Disabled = true
	disabled, _ := w.CreateBody(off)
	if _, err := w.CreateBody(still); !errors.Is(err, ErrCrowded) {
		t.Errorf("a static body under a dynamic one: %v", err)
	}
	still.Position = Vec{}
	still.Shapes = nil
	static, _ := w.CreateBody(still)
	for name, change := range map[string]func() error{
		"teleport": func() error { return w.Teleport(far, Vec{}, 0) },
		"enable":   func() error { return w.SetEnabled(disabled, true) },
		"shape":    func() error { _, err := w.CreateShape(static, Circle(1)); return err },
	} {
		if err := change(); !errors.Is(err, ErrCrowded) || !oneLine(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.Step(1, dt)
	if c := w.Counts(); c.Contacts != 10 {
		t.Errorf("%d contacts", c.Contacts)
	}
}

func TestStaticShapesThatWouldCrowdAsDynamicOnesStayStatic(t *testing.T) {
	w := newDriven(Config{NoGravity: true, MaxContacts: 10})
	defer w.Close()
	def := disc(0, 0)
	def.Kind = Static
	var b Body
	for range 20 {
		b, _ = w.CreateBody(def)
	}
	if err := w.SetKind(b, Dynamic); !errors.Is(err, ErrCrowded) {
		t.Error(err)
	}
	w.Step(1, dt)
}

func TestBodiesThatComeTogetherInAStepEndItWithOneError(t *testing.T) {
	everyStepper(t, Config{NoGravity: true, MaxContacts: 50, NoContinuous: true}, func(t *testing.T, w *driven) {
		for i := range 40 {
			x := 3 * float64(i-20)
			d := disc(x, 0)
			d.Velocity.X = -x
			d.Shapes[0].Sensor = true // the bodies must not push each other away
			if _, err := w.CreateBody(d); err != nil {
				t.Fatal(err)
			}
		}
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, ErrCrowded) || !oneLine(err) {
				t.Error(err)
			}
		}()
		for tick := range uint64(120) {
			w.Step(tick+1, dt)
		}
		t.Errorf("%d contacts", w.Counts().Contacts)
	})
}

func TestAScribbledChainIsRefused(t *testing.T) {
	w := newDriven(Config{NoGravity: true, MaxContacts: 1000})
	defer w.Close()
	points := make([]Vec, 2000)
	for i := range points {
		points[i] = Vec{X: float64(i % 2), Y: float64(i%3) / 10}
	}
	if _, err := w.CreateBody(BodyDef{Shapes: []ShapeDef{Chain(points...)}}); !errors.Is(err, ErrCrowded) {
		t.Error(err)
	}
	for i := range points {
		points[i] = Vec{X: float64(i), Y: float64(i%3) / 10}
	}
	if _, err := w.CreateBody(BodyDef{Shapes: []ShapeDef{Chain(points...)}}); err != nil {
		t.Errorf("an honest one: %v", err)
	}
}

// A body is accepted or rejected by the estimate, so the estimate must equal the
// number of pairs in the search.
func TestTheEstimateIsTheNumberOfContactsMade(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(20) {
		w := newDriven(Config{NoGravity: true})
		r := rand.New(rand.NewPCG(seed, 1))
		for range 200 {
			d := BodyDef{
				Kind: BodyKind(r.IntN(3)), Position: Vec{X: 10 * r.Float64(), Y: 10 * r.Float64()}, Angle: 7 * r.Float64(),
				Disabled: r.IntN(10) == 0,
			}
			for n := r.IntN(3); n >= 0; n-- {
				s := []ShapeDef{CircleAt(.1, .2, r.Float64()+.1), Box(.2, r.Float64()+.1),
					Edge(Vec{}, Vec{X: 1, Y: 1}), Chain(Vec{}, Vec{X: 1, Y: 1}, Vec{X: 2, Y: 1})}[r.IntN(4)]
				s.Filter = Filter{Category: 1 << (20 * r.IntN(3)), Mask: uint64(r.IntN(16)) * (1 + 1<<20), Group: int16(r.IntN(5) - 2)}
				d.Shapes = append(d.Shapes, s)
			}
			if _, err := w.CreateBody(d); err != nil {
				t.Fatal(err)
			}
		}
		mgr := &w.b2.M_contactManager
		mgr.FindNewContacts()
		made := mgr.M_contactCount
		if w.crowd.coming.contacts != made {
			t.Errorf("seed %d: %d expected, %d made", seed, w.crowd.coming.contacts, made)
		}
		w.Close()
	}
}

// A program may edit a body again and again while no step searches for pairs.
func TestTheEstimateOfABodyThatIsEditedIsTheNumberOfContactsMade(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(40) {
		w := newDriven(Config{NoGravity: true})
		r := rand.New(rand.NewPCG(seed, 2))
		d := disc(5, 5)
		d.Shapes = append(d.Shapes, Box(1, .5))
		b, err := w.CreateBody(d)
		check(t, err)
		for range 100 {
			d := disc(10*r.Float64(), 10*r.Float64())
			d.Kind = BodyKind(r.IntN(3))
			d.Shapes[0].Sensor = true
			_, err := w.CreateBody(d)
			check(t, err)
		}
		w.Step(1, dt)
		for range 1 + r.IntN(20) {
			s := w.registry.bodies[b].shapes[r.IntN(2)].handle
			switch r.IntN(6) {
			case 0:
				check(t, w.SetKind(b, BodyKind(r.IntN(3))))
			case 1:
				check(t, w.SetEnabled(b, r.IntN(2) == 0))
			case 2:
				check(t, w.SetFilter(s, Filter{Category: 1, Mask: uint64(r.IntN(2))}))
			case 3:
				check(t, w.ReplaceShape(s, CircleAt(0, 0, r.Float64()+.2)))
			case 4:
				check(t, w.SetSensor(s, r.IntN(2) == 0))
			default:
				check(t, w.Teleport(b, Vec{X: 5 + r.NormFloat64(), Y: 5 + r.NormFloat64()}, r.NormFloat64()))
			}
		}
		mgr := &w.b2.M_contactManager
		was, coming := mgr.M_contactCount, w.crowd.coming.contacts
		mgr.FindNewContacts()
		if made := mgr.M_contactCount - was; coming != made {
			t.Errorf("seed %d: %d expected, %d made", seed, coming, made)
		}
		w.Close()
	}
}

func TestAPileOf20000BodiesIsFarFromTheLimit(t *testing.T) {
	norace.Only(t)
	w := newDriven(Config{Gravity: Vec{X: 0, Y: -10}})
	defer w.Close()
	for i := range 20_000 {
		if _, err := w.CreateBody(disc(float64(i%200)*.95, float64(i/200)*.95)); err != nil {
			t.Fatal(err)
		}
	}
	w.Step(1, dt)
	if n := w.Counts().Contacts; n < 30_000 || n > DefaultMaxContacts/4 {
		t.Errorf("%d contacts", n)
	}
}

func TestCountsHaveUpperLimits(t *testing.T) {
	norace.Only(t)
	line := func(n int) ShapeDef {
		s := ShapeDef{Kind: ChainShape, Points: make([]Vec, n)}
		for i := range s.Points {
			s.Points[i].X = float64(i)
		}
		return s
	}
	create := func(shapes ...ShapeDef) error {
		w := newDriven(Config{NoGravity: true})
		defer w.Close()
		_, err := w.CreateBody(BodyDef{Shapes: shapes})
		return err
	}
	shapes := make([]ShapeDef, MaxBodyShapes+1)
	for i := range shapes {
		shapes[i] = CircleAt(2*float64(i), 0, .5)
	}
	one := func() error {
		w := newDriven(Config{NoGravity: true})
		defer w.Close()
		b, err := w.CreateBody(BodyDef{Shapes: shapes[1:]})
		if err != nil {
			return nil
		}
		_, err = w.CreateShape(b, shapes[0])
		return err
	}
	for name, c := range map[string]struct{ most, beyond error }{
		"velocity iterations": {Config{NoGravity: true, VelocityIterations: MaxIterations}.Validate(), Config{NoGravity: true, VelocityIterations: MaxIterations + 1}.Validate()},
		"position iterations": {Config{NoGravity: true, PositionIterations: MaxIterations}.Validate(), Config{NoGravity: true, PositionIterations: MaxIterations + 1}.Validate()},
		"workers":             {Config{NoGravity: true, Workers: mostWorkers}.Validate(), Config{NoGravity: true, Workers: mostWorkers + 1}.Validate()},
		"contacts":            {Config{NoGravity: true, MaxContacts: mostMaxContacts}.Validate(), Config{NoGravity: true, MaxContacts: mostMaxContacts + 1}.Validate()},
		"fewer than none":     {nil, Config{NoGravity: true, MaxContacts: -1}.Validate()},
		"shapes of a body":    {create(shapes[1:]...), create(shapes...)},
		"one more shape":      {nil, one()},
		"points of a chain":   {create(line(MaxChainPoints)), create(line(MaxChainPoints + 1))},
		"a closed chain":      {nil, create(ClosedChain(line(MaxChainPoints + 1).Points...))},
		"points of a polygon": {nil, create(Polygon(make([]Vec, 9)...))},
	} {
		if c.most != nil {
			t.Errorf("%s: the limit itself: %v", name, c.most)
		}
		if !oneLine(c.beyond) {
			t.Errorf("%s: beyond the limit: %v", name, c.beyond)
		}
	}
}

func TestPairsThatFiltersKeepApartTakeNoRoomOfContacts(t *testing.T) {
	norace.Only(t)
	everyStepper(t, Config{}, func(t *testing.T, w *driven) {
		apart := Box(.5, .5)
		apart.Filter = Filter{Category: 1, Mask: 1, Group: -1}
		for range 2000 {
			if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{apart}}); err != nil {
				t.Fatal(err)
			}
		}
		var was, is runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&was)
		w.Step(1, dt)
		runtime.GC()
		runtime.ReadMemStats(&is)
		if c, mb := w.Counts().Contacts, (int64(is.HeapAlloc)-int64(was.HeapAlloc))>>20; c > 0 || mb > 80 {
			t.Errorf("2,000,000 pairs of which no contact comes take %d MB, and there are %d contacts", mb, c)
		}
	})
}
