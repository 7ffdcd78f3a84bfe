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
	"halfstep/world"
	"halfstep/world/tiles"
)

// yard has two figures, tiles, a lift, a slope, a crate and one-way planks.
func yard(heroes *[2]*Walker) func(w *world.World) error {
	return func(w *world.World) error {
		_, err := tiles.New(w, tiles.Def{Rows: []string{
			"#                              #",
			"#                              #",
			"#             ##               #",
			"#     ##     ####              #",
			"################################",
		}})
		lift, _ := w.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 22, Y: 1.5}, Shapes: []world.ShapeDef{world.Box(1.5, .1)}})
		_, _ = w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Polygon(world.Vec{X: 26, Y: 1}, world.Vec{X: 30, Y: 1}, world.Vec{X: 30, Y: 3})}})
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
		for i := range heroes {
			if err == nil {
				heroes[i], err = New(w, Def{Name: fmt.Sprint(i), Position: world.Vec{X: 3 + 17*float64(i), Y: 2}})
			}
		}
		return err
	}
}

func TestWalkersHaveEqualBitsOnTwoPeersWithRollbacks(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		now := time.Duration(0)
		clock := func() time.Duration { return now }
		var network netplay.Memory
		line := netplay.Conditions{Delay: 80 * time.Millisecond, Jitter: 30 * time.Millisecond, Loss: .05, Now: clock, Seed: 7}
		var sessions []*netplay.Session
		var figures [2][2]*Walker
		for i := range 2 {
			heroes := &figures[i]
			o := netplay.Options{
				Players: 2, InputSize: 1, Window: 20, Now: clock,
				OnDesync: func(d *netplay.Desync) { t.Error(d) },
				Apply: func(c world.Commands, _ uint64, inputs [][]byte) {
					for k, in := range inputs {
						if in != nil {
							heroes[k].Send(c, Input{Walk: float64(in[0]&3) - 1, Jump: in[0]&4 > 0, Drop: in[0]&8 > 0})
						}
					}
				},
			}
			c := engine.Config{Setup: yard(heroes), Time: engine.Time{Simulated: true}, World: world.Config{Stepper: stepper}}
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
					in[i] = byte(r.IntN(3) + 4*r.IntN(2) + 8*r.IntN(2))
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

func TestAWalkerIsReplayedToTheBitWithItsCommands(t *testing.T) {
	var file strings.Builder
	var heroes [2]*Walker
	e, err := engine.New(engine.Config{
		Setup: yard(&heroes), Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: 4},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "yard"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		heroes[0].Send(e.Commands, Input{Walk: 1, Jump: i%50 == 0})
		heroes[1].Send(e.Commands, Input{Walk: float64(i/60%3 - 1)})
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	recording, err := engine.ReadRecording(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Verify(yard(new([2]*Walker))); err != nil {
		t.Error(err)
	}
}
