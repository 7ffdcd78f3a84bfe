package netplay

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestOptionsThatMakeNoSenseAreOneLine(t *testing.T) {
	for name, change := range map[string]func(*engine.Config, *Options){
		"players":       func(_ *engine.Config, o *Options) { o.Players = 9 },
		"one player":    func(_ *engine.Config, o *Options) { o.Players = 1 },
		"an input":      func(_ *engine.Config, o *Options) { o.InputSize = 33 },
		"Apply":         func(_ *engine.Config, o *Options) { o.Apply = nil },
		"window":        func(_ *engine.Config, o *Options) { o.Window = 121 },
		"delay":         func(_ *engine.Config, o *Options) { o.Delay = -1 },
		"to wait for":   func(_ *engine.Config, o *Options) { o.WaitFor = 3 },
		"the snapshot":  func(c *engine.Config, _ *Options) { c.History.Snapshot = new(world.Snapshot) },
		"RunAhead":      func(c *engine.Config, _ *Options) { c.Time.Sync = renderloop.RunAhead },
		"Every":         func(c *engine.Config, _ *Options) { c.History.Rollback = engine.RollbackOptions{Ticks: 8, Every: 4} },
		"the world":     func(c *engine.Config, _ *Options) { c.World.SubSteps = -1 },
		"nothing wrong": func(*engine.Config, *Options) {},
	} {
		c, o := engine.Config{}, Options{Players: 2, InputSize: 1, Apply: apply}
		change(&c, &o)
		s, err := Host(new(Memory).Line(hostAt), c, o)
		if good := name == "nothing wrong"; good != (err == nil) || err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			if err := s.Update([]byte{1, 2}); err == nil {
				t.Error("an input of two bytes is taken")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// The program gets no answer, and the host stores nothing about it.
func TestAProgramOfAnotherMatchGetsNoAnswer(t *testing.T) {
	for name, change := range map[string]func(*rig){
		"another name":       func(r *rig) { r.options.Match = "orchard" },
		"another input":      func(r *rig) { r.options.InputSize = 2 },
		"another rate":       func(r *rig) { r.config.Time.Rate = clock.Rate{Num: 50, Den: 1} },
		"other players":      func(r *rig) { r.options.Players = 3 },
		"the same, in truth": func(*rig) {},
	} {
		r := newRig(t, 1)
		host := r.add(60)
		change(r)
		guest := r.add(60)
		r.run(1500 * time.Millisecond)
		if same := name == "the same, in truth"; same != (guest.Engine() != nil) || len(host.match.peers) > 0 != same {
			t.Errorf("%s: the guest has an engine: %v; the host has %d guests", name, guest.Engine() != nil, len(host.match.peers))
		}
	}
}

func TestAnInputIsNilWhereNobodyPlays(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 5)
	r.line = Conditions{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond}
	r.options.Players, r.options.WaitFor = 3, 2
	r.add(60)
	guest := r.add(60)
	r.run(2 * time.Second)
	late := r.add(60)
	r.run(2 * time.Second)
	guest.match.send = func(netip.AddrPort, []byte) {} // the last inputs of the guest are lost
	r.run(200 * time.Millisecond)
	r.leave(guest)
	r.run(4 * time.Second)
	r.check()
	host := r.programs[0]
	here := func(player int) (n, changes int) {
		t := &host.match.tracks[player]
		for tick := uint64(1); tick < host.facts.final.Load(); tick++ {
			n += int(t.at(tick)[0])
			if t.at(tick)[0] != t.at(tick - 1)[0] {
				changes++
			}
		}
		return n, changes
	}
	for player, changes := range []int{0, 1, 1} {
		if n, c := here(player); c != changes || n < 60 {
			t.Errorf("player %d is there in %d ticks, and comes or goes %d times", player, n, c)
		}
	}
	if late.Player() != 2 || late.err != nil || host.err != nil {
		t.Errorf("player %d, %v, %v", late.Player(), late.err, host.err)
	}
}

// A guess of an input is undone although the input gives no command.
func TestApplyMayGiveNothing(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 8)
	r.line = Conditions{Delay: 60 * time.Millisecond, Jitter: 20 * time.Millisecond}
	r.options.Apply = func(c world.Commands, _ uint64, inputs [][]byte) {
		for i, in := range inputs {
			if in != nil && in[0] > 6 {
				c.DoNamed("throw", float64(i))
			}
		}
	}
	r.add(60)
	r.add(60)
	r.run(10 * time.Second)
	r.check()
	if m := r.programs[0].Metrics(); m.Checked < 500 || m.Rollbacks < 20 {
		t.Errorf("%+v", m)
	}
}

func TestGuestsAreToldThatTheHostHasGone(t *testing.T) {
	for _, says := range []bool{true, false} {
		r := newRig(t, 5)
		host, guest := r.add(60), r.add(60)
		r.run(time.Second)
		if says {
			r.leave(host)
		} else {
			r.programs = []*program{guest} // the machine of the host is switched off
			r.gone = nil
			t.Cleanup(func() { host.Close() })
		}
		before := guest.Engine().Demanded()
		r.run(3 * time.Second)
		if !errors.Is(guest.err, ErrEnded) || guest.Engine().Demanded() > before+uint64(guest.o.Window)+4 {
			t.Errorf("the host says so: %v; the guest says %v, at tick %d after %d", says, guest.err, guest.Engine().Demanded(), before)
		}
	}
}

// The line is cut for a second. The world stands still at the end of the window, and then
// continues without extra ticks.
func TestTheWorldWaitsAtTheEndOfTheWindowAndGoesOn(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 6)
	r.options.Timeout = 10 * time.Second
	host, guest := r.add(60), r.add(60)
	r.run(2 * time.Second)
	send := guest.match.send
	guest.match.send = func(netip.AddrPort, []byte) {}
	tick := host.Engine().Demanded()
	r.run(time.Second)
	m := host.Metrics()
	if stood := host.Engine().Demanded(); stood > tick+uint64(host.o.Window)+4 || m.Players[0].WaitsFor != 1 || m.Waited == 0 {
		t.Errorf("from tick %d it goes to tick %d, and waits for player %d, for %v", tick, stood, m.Players[0].WaitsFor, m.Waited)
	}
	if n := guest.Metrics().Players[0].WaitsFor; n != 1 {
		t.Errorf("the guest sees that the host waits for player %d", n)
	}
	guest.match.send = send
	r.run(3 * time.Second)
	r.check()
	if m := host.Metrics(); m.Tick < tick+150 || m.Checked+10 < m.Tick || m.Players[0].WaitsFor >= 0 {
		t.Errorf("it goes on to tick %d, compared up to %d", m.Tick, m.Checked)
	}
}

// One program has a clock that is 2 % fast. Neither program ever waits, because the
// faster one slows down.
func TestTheFasterClockSlowsDownByAFraction(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 7)
	r.line = Conditions{Delay: 40 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: .02}
	host, guest := r.add(60), r.add(60)
	fast := guest
	fast.hurry = 1.02
	r.run(20 * time.Second)
	r.check()
	for _, p := range []*program{host, guest} {
		if m := p.Metrics(); m.Waited > 0 || m.Tick < 1000 {
			t.Errorf("player %d is at tick %d and has waited for %v", p.Player(), m.Tick, m.Waited)
		}
	}
	if m := guest.Metrics(); m.Scale > .99 || m.Scale < .95 || m.Players[0].Lead > 3 {
		t.Errorf("the fast clock runs at %v, %v ticks ahead", m.Scale, m.Players[0].Lead)
	}
}

// wire is a line to one other program. It allocates nothing.
type wire struct {
	from       netip.AddrPort
	in, out    *[64]datagram
	got, given *int // the datagrams of in that were received, and those of out that were sent
	taken      int
}

func (w *wire) Send(_ netip.AddrPort, b []byte) {
	d := &w.out[*w.given%len(w.out)]
	d.size = copy(d.data[:], b)
	*w.given++
}

func (w *wire) Receive(into []byte) (n int, from netip.AddrPort, ok bool) {
	if w.taken == *w.got {
		return 0, from, false
	}
	d := &w.in[w.taken%len(w.in)]
	w.taken++
	return copy(into, d.bytes()), w.from, true
}

func TestAFrameOfAMatchAllocatesNothing(t *testing.T) {
	norace.Only(t)
	now := time.Duration(0)
	o := Options{Match: "x", Players: 2, InputSize: 4, Apply: func(world.Commands, uint64, [][]byte) {}, Now: func() time.Duration { return now }}
	c := engine.Config{Setup: new(yard).setup, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, World: world.Config{Workers: 1}}
	var there, back [64]datagram
	var sent, answered int
	host, err := Host(&wire{from: guestAt, in: &there, got: &sent, out: &back, given: &answered}, c, o)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	guest, err := Join(&wire{from: hostAt, in: &back, got: &answered, out: &there, given: &sent}, hostAt, c, o)
	if err != nil {
		t.Fatal(err)
	}
	defer guest.Close()
	input := []byte{1, 2, 3, 4}
	frame := func() {
		now += time.Second / 60
		for _, s := range []*Session{host, guest} {
			if err := s.Update(input); err != nil {
				t.Fatal(err)
			}
			if e := s.Engine(); e != nil {
				e.Advance(time.Second / 60)
				for range e.Events() {
				}
			}
		}
	}
	for range 600 { // the loop continues until the world is at rest
		frame()
	}
	if n := testing.AllocsPerRun(300, frame); n > 0 {
		t.Errorf("a frame of two programs allocates %v times", n)
	}
	if m := guest.Metrics(); m.Checked < 800 {
		t.Errorf("%+v", m)
	}
}

func TestWhoJoinsLaterRestoresWhatWasKeptBefore(t *testing.T) {
	r := newRig(t, 9)
	r.line = Conditions{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond}
	r.options.Players, r.options.WaitFor = 3, 2
	r.options.Apply = func(c world.Commands, tick uint64, inputs [][]byte) {
		switch tick {
		case 60, 70, 80:
			c.KeepSnapshot(int(tick))
		case 300, 330, 360:
			c.RestoreSnapshot(int(tick)/3 - 40)
		}
		apply(c, tick, inputs)
	}
	host := r.add(60)
	r.add(60)
	r.run(3 * time.Second)
	late := r.add(60)
	r.run(6 * time.Second)
	r.check()
	if first := late.match.peers[0].first; late.err != nil || host.err != nil || first < 80 || first >= 300 || late.Metrics().Checked < 400 {
		t.Errorf("it begins at tick %d: %v, %v, %+v", first, late.err, host.err, late.Metrics())
	}
}
