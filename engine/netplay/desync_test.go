package netplay

import (
	"bytes"
	"errors"
	"log/slog"
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
		game := new(yard) // no session: the game alone replays it
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
	// The others go on, and the guest comes back.
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
