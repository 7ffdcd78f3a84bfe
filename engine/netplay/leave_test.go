package netplay

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/test/norace"
)

// unsendable has a state that a rollback can restore, but that cannot be sent to a
// guest.
type unsendable struct{}

func (unsendable) AppendBinary(b []byte) ([]byte, error) {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
	for f, more := frames.Next(); more; f, more = frames.Next() {
		if strings.HasSuffix(f.Function, "(*witness).BeforeStep") {
			return b, errors.New("no bytes of this")
		}
	}
	return b, nil
}

func (unsendable) UnmarshalBinary([]byte) error { return nil }

func TestAGuestThatTheWorldCanNotBeSentToIsRefusedAndTheMatchGoesOn(t *testing.T) {
	norace.Only(t)
	var told, others bytes.Buffer
	standard := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&others, nil)))
	defer slog.SetDefault(standard)
	r := newRig(t, 11)
	r.config.Logger = slog.New(slog.NewTextHandler(&told, nil))
	r.options.Players, r.options.WaitFor = 4, 2
	r.broken = unsendable{}
	host, guest := r.add(60), r.add(60)
	r.run(2 * time.Second)
	third, fourth := r.add(60), r.add(60)
	r.run(2 * time.Second)
	for _, late := range []*program{third, fourth} {
		if !errors.Is(late.err, ErrEnded) || !strings.Contains(late.err.Error(), "can not be sent") || late.Engine() != nil {
			t.Errorf("who joins is told %v", late.err)
		}
		late.err = nil
		r.leave(late)
	}
	r.run(time.Second)
	r.check()
	if f := host.Metrics(); guest.err != nil || f.Checked < 280 || len(host.match.peers) != 1 {
		t.Errorf("the guest is told %v, and ticks are compared up to %d", guest.err, f.Checked)
	}
	if !strings.Contains(told.String(), "no bytes of this") || others.Len() > 0 {
		t.Errorf("the logger is told %q, and that of others %q", &told, &others)
	}
}

func TestAProgramThatFailsHoldsNobodyUp(t *testing.T) {
	r := newRig(t, 12)
	r.options.Players, r.options.Timeout = 3, time.Minute
	host, guest, third := r.add(60), r.add(60), r.add(60)
	guest.game.panics = 100
	r.run(5 * time.Second) // the host calls Update, and shows errors
	if guest.err == nil || host.err != nil || third.err != nil {
		t.Fatalf("%v, %v, %v", guest.err, host.err, third.err)
	}
	if f := host.Metrics(); f.Checked < 250 || f.Longest > time.Second || f.Players[1].Here {
		t.Errorf("the others wait: %+v", f)
	}
	guest.err = nil
	r.check()
}

// The clock of a game may begin at any time.
func TestOnlyDifferencesOfTheClockCount(t *testing.T) {
	norace.Only(t)
	for _, began := range []time.Duration{-1000 * time.Hour, 500_000 * time.Hour} {
		r := newRig(t, 13)
		r.now = began
		host, guest := r.add(60), r.add(60)
		r.run(3 * time.Second)
		r.check()
		if f := guest.Metrics(); f.Checked < 150 || host.Metrics().Checked < 150 {
			t.Errorf("a clock that begins at %v: %+v", began, f)
		}
		r.close()
	}
}

// The address of a guest changes. The guest is then lost, and may join again from its
// new address.
func TestAGuestWithAnotherAddressJoinsAgain(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 14)
	r.line = Conditions{Delay: 20 * time.Millisecond, Jitter: 10 * time.Millisecond}
	host, guest := r.add(60), r.add(60)
	r.run(2 * time.Second)
	line := r.network.lines[guest.at]
	delete(r.network.lines, guest.at)
	line.at = netip.AddrPortFrom(guest.at.Addr(), 99)
	r.network.lines[line.at] = line
	r.run(3 * time.Second)
	if !errors.Is(guest.err, ErrEnded) || len(host.match.peers) != 0 || host.err != nil {
		t.Fatalf("the guest is told %v; the host has %d guests and is told %v", guest.err, len(host.match.peers), host.err)
	}
	guest.err = nil
	r.leave(guest)
	again := r.add(60)
	for range 1000 { // the snapshot is compressed in the meantime, in real time
		if r.run(100 * time.Millisecond); again.Player() == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	r.run(time.Second)
	r.check()
	if f := host.Metrics(); again.Player() != 1 || f.Checked+60 < f.Tick {
		t.Errorf("player %d: %+v", again.Player(), f)
	}
}

// A guest has asked twice. Between the two answers another guest has left, and the older
// answer arrives last.
func TestAnOlderAnswerDoesNotReplaceANewerOne(t *testing.T) {
	p := newPair(t)
	g := newMatch(p.guest.o, token{1}, false)
	g.peers = []*peer{{addr: hostAt}}
	at := netip.MustParseAddrPort("127.0.0.1:3")
	var answers [][]byte
	p.host.send = func(to netip.AddrPort, b []byte) {
		if to == at {
			answers = append(answers, bytes.Clone(b))
		}
	}
	g.send = func(_ netip.AddrPort, b []byte) { p.host.receive(p.now, at, bytes.Clone(b)) }
	hello := func() {
		p.now += time.Second
		g.sending(p.now)
	}
	hello()
	p.host.drop(p.host.peers[0], 0)
	hello()
	if len(answers) != 2 {
		t.Fatalf("%d answers", len(answers))
	}
	g.receive(p.now, hostAt, answers[1])
	hello()
	g.receive(p.now, hostAt, answers[0])
	if guest := p.host.peerAt(at); guest == nil || guest.token != g.peers[0].token {
		t.Errorf("the host knows the guest as %v, and the guest writes %v", guest, g.peers[0].token)
	}
}

// While they wait, physics overwrites old hashes with hashes of later ticks.
func TestHashesAreComparedOnlyWhileTheyAreKept(t *testing.T) {
	p := newPair(t)
	guest := p.host.peers[0]
	p.host.final, guest.final, guest.agreed = 3*kept, 2*kept+100, 0
	p.host.hashes = func(tick uint64) uint64 {
		if tick+kept/2 < p.host.final {
			t.Errorf("the hash of tick %d is looked at when ticks before %d are final", tick, p.host.final)
		}
		return 1
	}
	p.host.compare(guest)
	if guest.differ != nil {
		t.Error("they differ")
	}
	guest.final, guest.hash = p.host.final, 2
	p.host.compare(guest)
	if guest.differ == nil {
		t.Error("they do not differ")
	}
	p.host.sendDifference(guest)
}

func TestTwoJoinAtOnceWhileOthersGoBack(t *testing.T) {
	norace.Only(t)
	r := newRig(t, 15)
	r.line = Conditions{Delay: 70 * time.Millisecond, Jitter: 40 * time.Millisecond, Loss: .1}
	r.options.Players, r.options.WaitFor = 4, 2
	host, _ := r.add(60), r.add(75)
	r.run(2 * time.Second)
	third, fourth := r.add(60), r.add(144)
	r.run(4 * time.Second)
	r.check()
	f := host.Metrics()
	if third.Player()+fourth.Player() != 5 || !f.Players[2].Here || !f.Players[3].Here || f.Rollbacks < 10 || f.Checked+60 < f.Tick {
		t.Errorf("players %d and %d: %+v", third.Player(), fourth.Player(), f)
	}
}
