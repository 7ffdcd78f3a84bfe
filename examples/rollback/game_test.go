package main

import (
	"fmt"
	"maps"
	"math"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/attack"
	"halfstep/renderloop"
	"halfstep/world"
)

func start(t *testing.T, c engine.Config, seed uint64) *match {
	t.Helper()
	c.Time.Simulated = true
	m, err := newMatch(c, seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.close() })
	return m
}

func TestAMatchThatCannotBeginIsAnErrorAndNoPanic(t *testing.T) {
	if m, err := newMatch(engine.Config{World: world.Config{Gravity: world.Vec{X: math.NaN()}}}, 1); err == nil {
		t.Errorf("it has begun: %+v", m)
	}
}

// play plays a match and checks that the peers agree. It returns how many ticks are
// final in both, and how many rollbacks there were.
func play(t *testing.T, c engine.Config, seed uint64, lasts time.Duration, fps int) (ticks, rollbacks int) {
	t.Helper()
	m := start(t, c, seed)
	var tolls [players]toll
	for i, p := range m.peers {
		tolls[i] = toll{live: map[world.EventKey]int{}}
		p.listen = tolls[i].take
	}
	for m.now < lasts {
		if err := m.frame(time.Second/time.Duration(fps), [players]*input{}); err != nil {
			t.Fatalf("seed %d, at %v: %v", seed, m.now, err)
		}
	}
	one, other := m.peers[0], m.peers[1]
	ticks = min(len(one.hashes), len(other.hashes))
	straight, hashes := playStraight(t, c.World.Stepper, m, uint64(ticks))
	straight.keep(uint64(ticks - 30))
	for i, p := range m.peers {
		for tick := range ticks {
			if p.hashes[tick] != hashes[tick] {
				t.Fatalf("seed %d, player %d: tick %d has the hash %x, and %x without rollbacks", seed, i+1, tick, p.hashes[tick], hashes[tick])
			}
		}
		if tolls[i].problem != "" {
			t.Errorf("seed %d, player %d: %s", seed, i+1, tolls[i].problem)
		}
		tolls[i].keep(uint64(ticks - 30)) // what is final and has been delivered
		if !maps.Equal(tolls[i].live, straight.live) {
			t.Errorf("seed %d, player %d: %d different events are left, and without rollbacks there are %d", seed, i+1, len(tolls[i].live), len(straight.live))
		}
		if p.counts.retracted == 0 || len(straight.live) < ticks/10 {
			t.Errorf("seed %d, player %d: %d events in %d ticks, %d retracted", seed, i+1, len(straight.live), ticks, p.counts.retracted)
		}
	}
	return ticks, one.counts.rollbacks + other.counts.rollbacks
}

// playStraight plays the same inputs in time, without a line.
func playStraight(t *testing.T, stepper world.Stepper, m *match, ticks uint64) (events *toll, hashes []uint64) {
	t.Helper()
	g := new(game)
	e, err := engine.New(engine.Config{
		Setup: g.setup, World: world.Config{NoGravity: true, Stepper: stepper}, Sync: renderloop.Lockstep, Time: engine.Time{Simulated: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	events = &toll{live: map[world.EventKey]int{}}
	for tick := uint64(0); tick <= ticks; tick = e.Demanded() {
		if tick > 0 {
			for i, p := range m.peers {
				give(e.Commands, i, tick, p.known[i][tick])
			}
		}
		e.Advance(time.Second / 60)
		if e.Demanded() > tick { // the controller has noted the hash of the tick
			hashes = append(hashes, g.hashes[tick%uint64(len(g.hashes))])
		}
		for ev := range e.Events() {
			events.take(ev)
		}
	}
	return events, hashes
}

// toll keeps the events that have happened: those told and not retracted.
type toll struct {
	live    map[world.EventKey]int
	ticks   map[world.EventKey]uint64
	problem string
}

func (c *toll) take(ev world.Event) {
	if c.ticks == nil {
		c.ticks = map[world.EventKey]uint64{}
	}
	key := ev.Key()
	c.ticks[key] = ev.Tick
	if ev.Kind != world.EventRetracted {
		c.live[key]++
	} else {
		c.live[key]--
	}
	switch n := c.live[key]; {
	case n < 0:
		c.problem = fmt.Sprintf("%v: it had not been told", ev)
	case n == 0:
		delete(c.live, key)
	}
}

func (c *toll) keep(before uint64) {
	maps.DeleteFunc(c.live, func(k world.EventKey, _ int) bool { return c.ticks[k] >= before })
}

func TestPeersHaveOneHashAndOneSetOfEventsAtEveryFinalTick(t *testing.T) {
	for fps, sync := range map[int]renderloop.Sync{60: renderloop.Pipelined, 144: renderloop.Lockstep, 45: renderloop.Pipelined} {
		c := engine.Config{Sync: sync}
		if fps == 45 {
			c.World.Stepper = world.SoftStep
		}
		ticks, rollbacks := play(t, c, uint64(fps), 10*time.Second, fps)
		if ticks < 10*60-30 || rollbacks < 25 {
			t.Errorf("%d fps: %d ticks are final, after %d rollbacks", fps, ticks, rollbacks)
		}
	}
}

func TestTheGameKeepsAllItsVariables(t *testing.T) {
	if _, rollbacks := play(t, engine.Config{Testing: engine.Testing{SyncTest: 5}}, 7, 5*time.Second, 60); rollbacks < 10 {
		t.Errorf("%d rollbacks", rollbacks)
	}
}

// The match of ten minutes.
func TestAttackPeers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		fps := []int{30, 60, 75, 144}[r.IntN(4)]
		ticks, rollbacks := play(t, engine.Config{Sync: renderloop.Sync(r.IntN(2))}, r.Uint64(), 10*time.Minute, fps)
		if ticks < 10*60*60-60 {
			t.Errorf("%d fps: %d ticks are final", fps, ticks)
		}
		a.Count("ticks", uint64(ticks))
		a.Count("rollbacks", uint64(rollbacks))
	}
}

// motion keeps where the bodies of a peer are and are shown, by tick.
type motion struct {
	peer   *peer
	bodies []world.Body
	is     map[uint64][]world.Vec // as of the newest run of the tick
	shown  map[uint64][]world.Vec
	frames []pictured
	late   map[uint64][]float64 // how far off it is shown, m
	gone   map[uint64][]float64 // how far it went in the step to the tick, m
}

type pictured struct {
	instant float64
	at      []world.Vec
}

func watch(p *peer) *motion {
	m := &motion{
		peer: p, is: map[uint64][]world.Vec{}, shown: map[uint64][]world.Vec{},
		late: map[uint64][]float64{}, gone: map[uint64][]float64{},
	}
	p.engine.Do(func(w *world.World) {
		m.bodies = m.bodies[:0]
		for b := range w.Bodies() {
			m.bodies = append(m.bodies, b)
		}
		w.AddContactHook(func(w *world.World, _ []world.Event) {
			var at []world.Vec
			for _, b := range m.bodies {
				info, _ := w.Body(b)
				at = append(at, info.Centre)
			}
			m.is[w.Tick()] = at
		})
	})
	return m
}

// before notes where bodies are in the run that the last frame has shown, before a
// rollback makes another. It is called before a frame, in Lockstep.
func (m *motion) before() {
	tick := m.peer.engine.View().Tick
	if m.shown[tick] == nil || m.is[tick] == nil || m.late[tick] != nil {
		return
	}
	for i := range m.bodies {
		off, gone := 0.0, 0.0
		off = math.Hypot(m.shown[tick][i].X-m.is[tick][i].X, m.shown[tick][i].Y-m.is[tick][i].Y)
		if was := m.is[tick-1]; was != nil {
			gone = math.Hypot(m.is[tick][i].X-was[i].X, m.is[tick][i].Y-was[i].Y)
		}
		m.late[tick], m.gone[tick] = append(m.late[tick], off), append(m.gone[tick], gone)
	}
}

// after notes what a frame shows.
func (m *motion) after() {
	e := m.peer.engine
	frame := pictured{instant: e.View().Instant}
	var newest []world.Vec
	for _, b := range m.bodies {
		p, _ := e.Pose(b)
		frame.at = append(frame.at, world.Vec{X: p.CentreX, Y: p.CentreY})
		_, cur, _ := e.States(b)
		newest = append(newest, world.Vec{X: float64(cur.X), Y: float64(cur.Y)})
	}
	m.frames = append(m.frames, frame)
	if e.View().Fresh && m.shown[e.View().Tick] == nil {
		m.shown[e.View().Tick] = newest
	}
}

// check returns the greatest correction that was shown in one tick.
func (m *motion) check(t *testing.T, blend float64) (most float64) {
	t.Helper()
	allowed := func(tick uint64, body int) float64 { // m per tick
		off, gone := 0.0, 0.0
		for back := range uint64(blend) + 2 {
			if late := m.late[tick-back]; late != nil {
				off = max(off, late[body])
			}
			if back < 3 {
				if g := m.gone[tick+1-back]; g != nil {
					gone = max(gone, g[body])
				}
			}
		}
		// What is left one tick after a rollback goes in blend-1 ticks.
		most = max(most, off/(blend-1))
		return gone + off/(blend-1)
	}
	for i := 1; i < len(m.frames); i++ {
		a, b := &m.frames[i-1], &m.frames[i]
		if b.instant < a.instant {
			t.Fatalf("the shown instant goes from %v back to %v", a.instant, b.instant)
		}
		if b.instant < 30 {
			continue
		}
		for body := range m.bodies {
			moved := math.Hypot(b.at[body].X-a.at[body].X, b.at[body].Y-a.at[body].Y)
			limit := (b.instant - a.instant) * allowed(uint64(math.Ceil(b.instant)), body)
			if moved > limit+1e-4 {
				t.Fatalf("frame %d, instant %v: %v moves by %v m: its speed and its correction explain %v", i, b.instant, m.bodies[body], moved, limit)
			}
		}
	}
	return most
}

func TestNoBodyIsShownToMoveMoreThanItsSpeedAndItsCorrectionExplain(t *testing.T) {
	for _, fps := range []int{60, 144} {
		const blend = 6 // ticks
		m := start(t, engine.Config{Sync: renderloop.Lockstep, Rollback: engine.RollbackOptions{Blend: blend * time.Second / 60}}, 5)
		var seen [players]*motion
		for i, p := range m.peers {
			seen[i] = watch(p)
		}
		for m.now < 8*time.Second {
			for i := range seen {
				seen[i].before()
			}
			if err := m.frame(time.Second/time.Duration(fps), [players]*input{}); err != nil {
				t.Fatal(err)
			}
			for i := range seen {
				seen[i].after()
			}
		}
		for i := range seen {
			seen[i].before()
			if most := seen[i].check(t, blend); most < .01 {
				t.Errorf("%d fps, player %d: the largest correction is %v m a tick: there was nothing to see", fps, i+1, most)
			}
		}
	}
}
