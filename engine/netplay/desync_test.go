package netplay

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
)

func TestALoggerIsToldOfADesyncThatNobodyElseIs(t *testing.T) {
	r := newRig(t, 4)
	var told, others bytes.Buffer
	standard := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&others, nil)))
	defer slog.SetDefault(standard)
	r.config.Logger = slog.New(slog.NewTextHandler(&told, nil))
	r.add(60)
	r.add(60).game.fault = 100
	r.run(5 * time.Second)
	if n := strings.Count(told.String(), "at tick 101: body"); n != 2 || others.Len() > 0 {
		t.Errorf("the logger is told %q, and that of others %q", &told, &others)
	}
}

func TestADesyncIsToldOnBothSidesWithTickBodyAndValue(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 3)
	r.line = Conditions{Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: .1}
	r.options.Players, r.options.WaitFor = 3, 2
	r.config.History.BlackBox = &engine.BlackBoxOptions{Dir: t.TempDir()}
	var told []*Desync
	r.options.OnDesync = func(d *Desync) { told = append(told, d) }
	host, guest := r.add(60), r.add(60)
	guest.game.fault = 200
	r.run(2 * time.Second)
	third := r.add(60)
	r.run(8 * time.Second)
	var there *Desync
	if len(told) != 2 || host.err != nil || !errors.As(guest.err, &there) || there.Player != 0 {
		t.Fatalf("%v are told; the host says %v, the guest %v", told, host.err, guest.err)
	}
	here := told[0]
	if here == there {
		here = told[1]
	}
	for _, d := range []*Desync{here, there} {
		if d.Tick != 201 || d.Name != "player 1" || d.Value == "" {
			t.Errorf("%v; want tick 201 and player 1", d)
		}
		file, err := os.Open(d.BlackBox)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		rec, err := engine.ReadRecording(file)
		if err != nil {
			t.Fatal(err)
		}
		game := new(yard) // the game replays it without a session
		if d == there {
			game.fault = 200
		}
		if _, err := rec.Verify(game.setup); err != nil || rec.First > d.Tick || rec.Ticks < d.Tick {
			t.Errorf("the black box has ticks %d to %d: %v", rec.First, rec.Ticks, err)
		}
	}
	if here.Here != there.There || here.There != there.Here || here.Here == here.There || here.Player != 1 || there.Player != 0 {
		t.Errorf("they disagree: %v; %v", here, there)
	}
	// The other programs continue, and the guest returns.
	guest.hashes = nil
	guest.err = nil
	r.leave(guest)
	again := r.add(60)
	r.run(5 * time.Second)
	r.check()
	if f := host.Metrics(); f.Checked < 800 || f.Checked+60 < f.Tick || third.Player() != 2 || again.Player() != 1 {
		t.Errorf("players %d and %d: %+v", third.Player(), again.Player(), f)
	}
}

func TestAGuestThatIsYetToFindOutThatItsWorldDiffersIsToldThatTheHostHasLeft(t *testing.T) {
	r := newRig(t, 5)
	r.options.OnDesync = func(*Desync) {}
	host, guest := r.add(60), r.add(60)
	r.run(2 * time.Second)
	host.match.differs(host.match.peers[0], host.match.final-1)
	r.leave(host)
	r.run(r.options.Timeout / 2)
	if !errors.Is(guest.err, ErrEnded) || !strings.Contains(guest.err.Error(), "the host has left") {
		t.Errorf("the guest is told %v", guest.err)
	}
	guest.err = nil
}

func TestMessagesHaveTheNumberThatPlayerReturns(t *testing.T) {
	host := newRig(t, 6).add(60)
	for _, err := range []error{&Desync{Player: 1}, &Drop{Player: 1}, host.Remove(1)} {
		if !strings.Contains(err.Error(), "player 1") {
			t.Error(err)
		}
	}
}

// Seven guests send wrong hashes at once. Earlier, the host stood still for each of them in
// turn, and dropped the last guest after 21.5 s. Only one of them got a Desync.
func TestSeveralGuestsThatDifferAtOnceAreAllToldAndHoldNobodyUp(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 25)
	var told []*Desync
	r.options.Players = 8
	r.options.OnDesync = func(d *Desync) { told = append(told, d) }
	host := r.add(60)
	for range 7 {
		r.add(60)
	}
	r.run(2 * time.Second)
	before := host.Metrics().Tick
	for _, p := range r.programs[1:] {
		p.game.fault = p.match.present + 1
		p.lies = true
	}
	r.run(2 * time.Second)
	byHost := map[int]bool{}
	for _, d := range told {
		if d.Player > 0 {
			byHost[d.Player] = d.Value != ""
		}
	}
	if m := host.Metrics(); len(told) != 14 || len(byHost) != 7 || m.Tick < before+110 || m.Longest > 0 {
		t.Errorf("%d are told, the host of %v; it goes from tick %d to %d and has waited for %v", len(told), byHost, before, m.Tick, m.Longest)
	}
}

// Earlier, a guest that sent a wrong hash could join again at once, again and again. The
// honest players then had 460 of 3,600 ticks.
func TestWhoWasDroppedForADesyncDoesNotComeBack(t *testing.T) {
	norace.Only(t)
	g := newGang(t, 26, 2*time.Second, lie{name: "wrong hashes", again: 20 * time.Millisecond, send: reports(func(_ *liar, r *report) { r.hash++ })})
	const d = 20 * time.Second
	g.play(d)
	if cost := g.judge(0, d); cost > 1 || len(g.told) != 1 {
		t.Errorf("it costs %.1f s, and %d desyncs are told", cost, len(g.told))
	}
	if l := g.liars[0]; l.number < 3 || l.Engine() != nil {
		t.Errorf("it has tried %d times, and has an engine: %v", l.number, l.Engine() != nil)
	}
}

// Earlier, if the list of bodies was late, the host reported that all bodies were alike.
func TestADesyncWhoseBodiesComeTooLateSaysSo(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 28)
	var told []*Desync
	r.options.OnDesync = func(d *Desync) { told = append(told, d) }
	r.add(60)
	guest := r.add(60)
	send := guest.match.send
	guest.match.send = func(to netip.AddrPort, b []byte) {
		if b[headLen-1] != kindChunk && b[headLen-1] != kindGoodbye {
			send(to, b)
		}
	}
	guest.game.fault = 100
	r.run(8 * time.Second)
	found := false
	for _, d := range told {
		if d.Player == 1 {
			found = strings.Contains(d.Error(), "has not come in time") && d.Unknown != "" && !strings.Contains(d.Error(), "alike")
		}
	}
	if !found {
		t.Errorf("told are %v", told)
	}
}

// Only bodies that are alike are reported as such.
func TestADesyncOfWhatIsNoBodySaysThatBodiesAreAlike(t *testing.T) {
	d := &Desync{Tick: 7, Player: 1}
	list := []seen{{values: [len(valueNames)]float64{1}}}
	compareBodies(d, list, packBodies(list))
	if text := d.Error(); d.Unknown != "" || !strings.Contains(text, "all bodies are alike") {
		t.Errorf("%q, %q", d.Unknown, text)
	}
	for _, lists := range [][2][]seen{{nil, list}, {list, nil}} {
		d := &Desync{Tick: 7, Player: 1}
		compareBodies(d, lists[0], packBodies(lists[1]))
		if text := d.Error(); d.Unknown == "" || !strings.Contains(text, "too far back") || strings.Contains(text, "alike") {
			t.Errorf("%q, %q", d.Unknown, text)
		}
	}
}
