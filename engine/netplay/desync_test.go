package netplay

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"halfstep/engine"
)

func TestADesyncIsToldOnBothSidesWithTickBodyAndValue(t *testing.T) {
	r := newRig(t, 3)
	r.line = Conditions{Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: .1}
	r.options.Players, r.options.WaitFor = 3, 2
	r.config.BlackBox = &engine.BlackBoxOptions{Dir: t.TempDir()}
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
		if files, _ := filepath.Glob(d.BlackBox); len(files) != 1 {
			t.Errorf("no black box at %q", d.BlackBox)
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
		t.Errorf("players %d and %d: %+v", third.Player()+1, again.Player()+1, f)
	}
}
