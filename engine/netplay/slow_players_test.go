package netplay

import (
	"errors"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
)

// random is a state of bytes that cannot be compressed.
type random []byte

func (r random) AppendBinary(b []byte) ([]byte, error) { return append(b, r...), nil }
func (r random) UnmarshalBinary([]byte) error          { return nil }

// A guest minimises its window, and calls Update without Frame. Earlier, its
// datagrams arrived, so the other players stood still for 119.7 of 120 s.
func TestAPlayerWhoMinimisesHoldsTheOthersUpForTheTimeoutAndIsNamed(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 21)
	var drops []*Drop
	r.options.Players, r.options.OnDrop = 3, func(d *Drop) { drops = append(drops, d) }
	host, guest, honest := r.add(60), r.add(60), r.add(60)
	r.run(2 * time.Second)
	guest.still = true
	r.run(10 * time.Second)
	guest.err, guest.lies = nil, true
	r.check()
	if len(drops) != 1 || drops[0].Player != guest.Player() || drops[0].Addr != guest.at || drops[0].HeldUp < r.options.Timeout {
		t.Errorf("%v are dropped", drops)
	}
	for _, p := range []*program{host, honest} {
		if m := p.Metrics(); m.Tick < 560 {
			t.Errorf("player %d is at tick %d after 12 s", p.Player(), m.Tick)
		}
	}
}

// The host gives no more inputs, but still sends datagrams.
func TestAHostThatPlaysNoMoreEndsTheMatchOfItsGuests(t *testing.T) {
	r := newRig(t, 22)
	host, guest := r.add(60), r.add(60)
	r.run(time.Second)
	host.still = true
	r.run(4 * time.Second)
	if !errors.Is(guest.err, ErrEnded) || !strings.Contains(guest.err.Error(), "no inputs") {
		t.Errorf("the guest is told %v", guest.err)
	}
}

// Each pause is shorter than the Timeout, but there are many pauses.
func TestShortPausesAddUp(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 23)
	drops := 0
	r.options.OnDrop = func(*Drop) { drops++ }
	host, guest := r.add(60), r.add(60)
	r.run(time.Second)
	for range 10 {
		guest.still = true
		r.run(time.Second)
		guest.still = false
		r.run(100 * time.Millisecond)
	}
	if m := host.Metrics(); drops != 1 || m.Tick < 8*60 {
		t.Errorf("%d are dropped, and the host is at tick %d after 12 s", drops, m.Tick)
	}
}

// A clock that is slow by a hundredth does not cost a player his place.
func TestASlowClockIsForgiven(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 24)
	r.options.Timeout = 300 * time.Millisecond
	host, guest := r.add(60), r.add(60)
	guest.hurry = .99
	r.run(60 * time.Second)
	if m := host.Metrics(); guest.err != nil || m.Players[1].HeldUp > 100*time.Millisecond {
		t.Errorf("the guest is told %v; it is said to have held up the others for %v", guest.err, m.Players[1].HeldUp)
	}
}

func TestTheHostRemovesAPlayerForGood(t *testing.T) {
	r := newRig(t, 27)
	var drops []*Drop
	r.options.Players, r.options.OnDrop = 3, func(d *Drop) { drops = append(drops, d) }
	host, guest, honest := r.add(60), r.add(60), r.add(60)
	r.run(time.Second)
	for _, player := range []int{-1, 0, 3, 8} {
		if host.Remove(player) == nil {
			t.Errorf("player %d is removed", player)
		}
	}
	if honest.Remove(guest.Player()) == nil {
		t.Error("a guest removes another")
	}
	player := guest.Player()
	if err := host.Remove(player); err != nil || len(drops) != 1 || drops[0].Player != player {
		t.Errorf("%v; %v are dropped", err, drops)
	}
	r.run(time.Second)
	if !errors.Is(guest.err, ErrEnded) || !strings.Contains(guest.err.Error(), "removed") || host.Metrics().Players[player].Here {
		t.Errorf("the guest is told %v", guest.err)
	}
	guest.lies = true
	r.leave(guest)
	again := r.addAt(60, guest.at)
	again.lies = true
	r.run(time.Second)
	if !errors.Is(again.err, ErrEnded) || !strings.Contains(again.err.Error(), "for good") {
		t.Errorf("who comes back is told %v", again.err)
	}
	r.run(time.Second)
	r.check()
	if m := host.Metrics(); m.Tick < 4*55 {
		t.Errorf("the host is at tick %d after 4 s", m.Tick)
	}
}

// Earlier, a session's goodbyes were still delayed in a badLine when the line was
// last called.
func TestAGoodbyeIsNotLostInALineThatIsMadeBad(t *testing.T) {
	now := time.Duration(0)
	var network Memory
	o := Options{Players: 2, InputSize: 1, Apply: apply, Now: func() time.Duration { return now }}
	config := func() engine.Config { return engine.Config{Setup: new(yard).setup, Time: engine.Time{Simulated: true}} }
	host, err := Host(network.Line(hostAt), config(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	bad := Conditions{Delay: 100 * time.Millisecond, Now: o.Now}
	guest, err := Join(bad.Worsen(network.Line(guestAt)), hostAt, config(), o)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(sessions ...*Session) {
		now += time.Second / 60
		for _, s := range sessions {
			if err := s.Update([]byte{4}); err != nil {
				t.Fatal(err)
			}
			if e := s.Engine(); e != nil {
				e.Advance(time.Second / 60)
			}
		}
	}
	for range 100 {
		frame(host, guest)
	}
	if err := guest.Close(); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		frame(host)
	}
	if n := len(host.match.peers); n != 0 {
		t.Errorf("%d guests are still there", n)
	}
}

// The clock of a computer is set back or forward by an hour.
func TestAClockThatIsSetEndsNoMatch(t *testing.T) {
	norace.Only(t)
	for _, by := range []time.Duration{-time.Hour, time.Hour} {
		r := newRig(t, 29)
		set := time.Duration(0)
		r.options.Now = func() time.Duration { return r.now + set }
		r.add(240) // in most of its frames nothing arrives
		r.options.Now = func() time.Duration { return r.now }
		r.add(60)
		r.run(2 * time.Second)
		set = by
		r.run(5 * time.Second)
		r.check()
		if m := r.programs[0].Metrics(); m.Tick < 380 {
			t.Errorf("a clock that is set by %v: the host is at tick %d after 7 s", by, m.Tick)
		}
		r.close()
	}
}
