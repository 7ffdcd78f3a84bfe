package walker

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/netplay"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/tiles"
)

// place is the part of a yard that commands can change.
type place struct {
	heroes [2]*Walker
	ground *tiles.Map
	raft   world.Body
}

// change digs out a cell or fills it, depending on the argument in, and moves the raft to its
// place for the tick.
func (p *place) change(c world.Commands, tick uint64, in byte) {
	if in&16 > 0 {
		p.ground.Send(c, tiles.Cell{X: 4 + int(tick%24), Y: 0, Kind: "# "[in>>5&1]})
	}
	at := float64(tick%120) / 120
	c.MoveTo(p.raft, world.Vec{X: 12 + 6*at, Y: 1.5 + at}, .2*at)
}

// yard has two figures, tiles, a lift, a raft, a slope, a crate and one-way planks.
func yard(p *place) func(w *world.World) error {
	return func(w *world.World) error {
		var err error
		p.ground, err = tiles.New(w, tiles.Def{Rows: []string{
			"#                              #",
			"#                              #",
			"#             ##               #",
			"#     ##     ####              #",
			"################################",
		}})
		lift, _ := w.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 22, Y: 1.5}, Shapes: []world.ShapeDef{world.Box(1.5, .1)}})
		_, _ = w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Polygon(world.Vec{X: 26, Y: 1}, world.Vec{X: 30, Y: 1}, world.Vec{X: 30, Y: 3})}})
		p.raft, _ = w.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 12, Y: 1.5}, Shapes: []world.ShapeDef{world.Box(.8, .1)}})
		plank := world.BoxAt(world.Vec{X: 10, Y: 3}, 1.5, .1, 0)
		plank.OneWay = world.Vec{Y: 1}
		_, _ = w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{plank}})
		for i := range 3 {
			_, _ = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 9 + float64(i), Y: 1.6}, Shapes: []world.ShapeDef{world.Box(.3, .3)}})
		}
		w.AddController(world.ControllerFunc(func(w *world.World, dt float64) {
			t := float64(w.Tick()) * dt
			_ = w.SetVelocity(lift, world.Vec{Y: 3 * (1 - 2*float64(int(t)%2))})
			_ = w.SetAngularVelocity(lift, .2*(1-2*float64(int(t+.5)%2)))
		}))
		for i := range p.heroes {
			if err == nil {
				p.heroes[i], err = New(w, Def{Name: fmt.Sprint(i), Position: world.Vec{X: 3 + 17*float64(i), Y: 2}})
			}
		}
		return err
	}
}

func TestWalkersDiggingAndBodiesThatAreMovedToPlacesHaveEqualBitsOnTwoPeersWithRollbacks(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		now := time.Duration(0)
		clock := func() time.Duration { return now }
		var network netplay.Memory
		line := netplay.Conditions{Delay: 80 * time.Millisecond, Jitter: 30 * time.Millisecond, Loss: .05, Now: clock, Seed: 7}
		var sessions []*netplay.Session
		var places [2]place
		for i := range 2 {
			p := &places[i]
			o := netplay.Options{
				Players: 2, InputSize: 1, Window: 20, Now: clock,
				OnDesync: func(d *netplay.Desync) { t.Error(d) },
				Apply: func(c world.Commands, tick uint64, inputs [][]byte) {
					all := byte(0)
					for k, in := range inputs {
						if in != nil {
							p.heroes[k].Send(c, Input{Walk: float64(in[0]&3) - 1, Jump: in[0]&4 > 0, Drop: in[0]&8 > 0})
							all |= in[0]
						}
					}
					p.change(c, tick, all)
				},
			}
			c := engine.Config{Setup: yard(p), Time: engine.Time{Simulated: true}, World: world.Config{Stepper: stepper}}
			at := func(i int) netip.AddrPort { return netip.MustParseAddrPort(fmt.Sprintf("127.0.0.1:%d", i+1)) }
			s, err := (*netplay.Session)(nil), error(nil)
			if i == 0 {
				s, err = netplay.Host(network.Line(at(0)), c, o)
			} else {
				s, err = netplay.Join(line.Worsen(network.Line(at(1))), at(0), c, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			sessions = append(sessions, s)
		}
		r, in := rand.New(rand.NewPCG(1, 2)), [2]byte{}
		for range 900 {
			now += time.Second / 60
			for i, s := range sessions {
				if r.IntN(20) == 0 {
					in[i] = byte(r.IntN(3) + 4*r.IntN(16))
				}
				if err := s.Update([]byte{in[i]}); err != nil {
					t.Fatal(err)
				}
				if e := s.Engine(); e != nil {
					e.Advance(time.Second / 60)
					for range e.Events() {
					}
				}
			}
		}
		for _, s := range sessions {
			if m := s.Metrics(); m.Rollbacks < 20 || m.Checked < 600 {
				t.Errorf("%v: %+v", stepper, m)
			}
		}
	}
}

func TestAWalkerDiggingAndMoveToAreReplayedToTheBit(t *testing.T) {
	norace.Only(t)
	for name, c := range map[string]engine.Config{
		"sync test": {Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: 4}},
		"run ahead": {Time: engine.Time{Simulated: true, Sync: renderloop.RunAhead}},
	} {
		var file strings.Builder
		var p place
		c.Setup, c.History = yard(&p), engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "yard"}}
		e, err := engine.New(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			p.heroes[0].Send(e.Commands, Input{Walk: 1, Jump: i%50 == 0})
			p.heroes[1].Send(e.Commands, Input{Walk: float64(i/60%3 - 1)})
			p.change(e.Commands, uint64(i), byte(16+i))
			e.Advance(time.Second / 60)
		}
		if got, _ := e.Pose(p.raft); got.X < 13 {
			t.Errorf("%s: the raft is at %+v", name, got)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		recording, err := engine.ReadRecording(strings.NewReader(file.String()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := recording.Verify(yard(new(place))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
