package netplay_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/netplay"
	"halfstep/test/norace"
	"halfstep/world"
)

// moved is a world in which each player's input pushes the player's body.
type moved struct {
	cars []world.Body
	push [8]int8
}

func (g *moved) setup(w *world.World) (err error) {
	for i := range g.cars {
		g.cars[i], err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, NoGravity: true, Position: world.Vec{X: float64(i) * 1.2}, Shapes: []world.ShapeDef{world.Circle(.5)}})
		if err != nil {
			return err
		}
	}
	w.Keep(&g.push)
	w.Register("push", func(_ *world.World, args []float64) { g.push[int(args[0])] = int8(args[1]) })
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		for i, b := range g.cars {
			_ = w.Force(b, world.Vec{X: float64(g.push[i])})
		}
	}))
	return nil
}

// played plays a match of some programs, and returns their metrics. The function input
// returns a player's input in a frame.
func played(t *testing.T, players, frames int, delay, window int, line netplay.Conditions, input func(player, frame int) byte) (all []netplay.Metrics) {
	now := time.Duration(0)
	clock := func() time.Duration { return now }
	line.Now = clock
	var network netplay.Memory
	at := func(i int) netip.AddrPort { return netip.MustParseAddrPort(fmt.Sprintf("127.0.0.1:%d", i+1)) }
	options := netplay.Options{
		Players: players, InputSize: 1, Delay: delay, Window: window, Now: clock,
		OnDesync: func(d *netplay.Desync) { t.Error(d) },
		Apply: func(c world.Commands, _ uint64, inputs [][]byte) {
			for i, in := range inputs {
				if in != nil {
					c.DoNamed("push", float64(i), float64(int8(in[0])))
				}
			}
		},
	}
	config := func() engine.Config {
		return engine.Config{Setup: (&moved{cars: make([]world.Body, players)}).setup, Time: engine.Time{Simulated: true}}
	}
	var sessions []*netplay.Session
	for i := range players {
		var s *netplay.Session
		var err error
		if i == 0 {
			s, err = netplay.Host(network.Line(at(0)), config(), options)
		} else {
			line.Seed = uint64(i)
			s, err = netplay.Join(line.Worsen(network.Line(at(i))), at(0), config(), options)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		sessions = append(sessions, s)
	}
	for frame := range frames {
		now += time.Second / 60
		for _, s := range sessions {
			in := byte(0)
			if s.Engine() != nil {
				in = input(s.Player(), frame)
			}
			if err := s.Update([]byte{in}); err != nil {
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
		all = append(all, s.Metrics())
	}
	return all
}

// In ggrs issues 61, 63 and 86 and in bevy_ggrs issue 71, hashes of ticks that still used a
// guess were compared, and were reported as a desync. Here each program gives another input
// in every frame, from the first on. The line takes 150 ms in each direction.
func TestGuessesAreNotToldAsADesync(t *testing.T) {
	norace.Only(t)
	for _, m := range played(t, 3, 500, 1, 40, netplay.Conditions{Delay: 150 * time.Millisecond}, func(player, frame int) byte {
		return byte(frame*(player+3)*7 + player)
	}) {
		if m.Rollbacks == 0 || m.Checked+90 < m.Tick || m.Tick < 300 {
			t.Errorf("player %d: %+v", m.Player, m)
		}
	}
}

// In ggrs issues 70 and 75, a correction that came while a program waited at the end of its
// window was lost, and the worlds differed from then on.
func TestACorrectionAtTheEndOfTheWindowIsNotLost(t *testing.T) {
	norace.Only(t)
	waited := time.Duration(0)
	for _, m := range played(t, 3, 700, 1, 3, netplay.Conditions{Delay: 60 * time.Millisecond, Jitter: 40 * time.Millisecond, Loss: .1}, func(player, frame int) byte {
		return byte(frame / (5 + player) % 3 * 20)
	}) {
		waited += m.Waited
		if m.Rollbacks == 0 || m.Checked+60 < m.Tick {
			t.Errorf("player %d: %+v", m.Player, m)
		}
	}
	if waited == 0 {
		t.Error("nobody waited at the end of its window")
	}
}
