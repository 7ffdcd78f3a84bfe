package netplay

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// Earlier, the first guest that joined late was refused, with a line in the host's log.
func TestAWorldThatIsTooLargeToBeSentIsAnErrorAtTheHost(t *testing.T) {
	was := mostUnpacked
	mostUnpacked = 200_000
	defer func() { mostUnpacked = was }()
	for _, size := range []int{100, 300_000} {
		state := make(random, size)
		for i := range state {
			state[i] = byte(rand.Uint32())
		}
		c := engine.Config{Setup: func(w *world.World) error { w.AddState(state); return nil }, Time: engine.Time{Simulated: true}}
		s, err := Host(new(Memory).Line(hostAt), c, Options{Players: 2, InputSize: 1, Apply: apply})
		if large := size > 1000; large != (err != nil) || err != nil && (!strings.Contains(err.Error(), "too large to be sent") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err == nil {
			s.Close()
		}
	}
}

func lieOf(t *testing.T, name string) lie {
	t.Helper()
	for _, l := range theLies() {
		if l.name == name {
			return l
		}
	}
	t.Fatalf("no lie is called %q", name)
	return lie{}
}

// A guest that asks for the world and then reads none of it loses its place.
func TestAJoinThatTakesNothingGivesItsPlaceBack(t *testing.T) {
	norace.Only(t)
	g := newGang(t, 30, 2*time.Second, lieOf(t, "asks for the world, takes nothing"))
	g.play(2500 * time.Millisecond)
	if n := len(g.programs[0].match.peers); n != 3 {
		t.Fatalf("%d guests are there", n)
	}
	g.liars[0].lie.again = 0
	g.play(4 * time.Second)
	if n := len(g.programs[0].match.peers); n != 2 || len(g.drops) != 1 {
		t.Errorf("%d guests are there; %v", n, g.drops)
	}
}

// Earlier, each of several guests that got the world used more than half a megabyte a
// second.
func TestGuestsThatJoinAtOnceShareTheLine(t *testing.T) {
	norace.Only(t)
	state := make(random, 600_000)
	for i := range state {
		state[i] = byte(rand.Uint32())
	}
	r := newRig(t, 31)
	r.broken = state
	r.options.Players, r.options.WaitFor = 5, 2
	host, _ := r.add(60), r.add(60)
	r.run(time.Second)
	late := []*program{r.add(60), r.add(60), r.add(60)}
	before := host.Metrics().Sent
	for late[0].Engine() == nil || late[1].Engine() == nil || late[2].Engine() == nil {
		if r.run(time.Second); r.now > time.Minute {
			t.Fatal("they do not join")
		}
		sent := host.Metrics().Sent
		if sent-before > 620_000 {
			t.Errorf("it sends %d bytes in a second", sent-before)
		}
		before = sent
		time.Sleep(time.Millisecond) // the snapshot is compressed in the meantime, in real time
	}
	r.run(time.Second)
	r.check()
}

// While one guest joins and leaves all the time, another guest joins.
func TestWhoJoinsAndLeavesAllTheTimeKeepsNobodyOut(t *testing.T) {
	norace.Only(t)
	var churn lie
	for _, l := range theLies() {
		if l.name == "joins and leaves all the time" {
			churn = l
		}
	}
	churn.again = time.Millisecond
	g := newGang(t, 32, 2*time.Second, churn)
	g.line.Delay = 80 * time.Millisecond
	g.play(3 * time.Second)
	late := g.add(60)
	g.play(5 * time.Second)
	if late.Player() < 0 || !g.programs[0].Metrics().Players[max(late.Player(), 0)].Here {
		t.Errorf("the newcomer is player %d after 5 s", late.Player())
	}
	g.check()
}

// A generator of liars found this: a snapshot of 1 MB used 583 MB of memory in the
// joining guest.
func TestASnapshotThatUnpacksToMuchMoreIsRefusedInOneLine(t *testing.T) {
	norace.Only(t)
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed)
	for range 100 {
		_, _ = w.Write(make([]byte, 1<<20))
	}
	_ = w.Close()
	data, err := unpack(b.Bytes())
	if err == nil || len(data) > 0 || !strings.Contains(err.Error(), "unpacks to more than") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d bytes of %d: %v", len(data), b.Len(), err)
	}
}
