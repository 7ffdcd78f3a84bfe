package netplay

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
)

// lie is a way in which a guest misbehaves after some seconds of honest play.
type lie struct {
	name string
	// frame is called before each of the guest's frames. Its result says which datagrams are
	// sent instead of a normal one.
	frame func(l *liar)
	send  func(l *liar, b []byte) [][]byte
	early bool          // early says that the guest lies from the beginning.
	again time.Duration // again is the time after the end of the session at which the guest joins again. With 0 the guest never does.
	moves bool          // and from another address
	bytes float64       // bytes is the greatest number of bytes that the host may send to the guest, in kB/s. With 0 it is 60.
}

// liar is a guest that lies in one of its sessions.
type liar struct {
	*program
	lie    *lie
	g      *gang
	random *rand.Rand
	joined time.Duration
	ended  time.Duration
	heard  [][]byte // heard are some of the datagrams that the liar has received.
	number int      // of its lives
	at     netip.AddrPort
}

// lying reports whether the guest no longer plays honestly.
func (l *liar) lying() bool { return l.lie.early || l.g.now-l.joined > time.Second }

// floods sends a datagram without the simulation of the liar's line, because the
// simulation is slow.
func (l *liar) floods(b []byte) {
	(&memoryLine{of: &l.g.network, at: l.program.at}).Send(l.g.programs[0].at, b)
}

// leaves makes a liar leave with a goodbye.
func (l *liar) leaves() {
	l.g.leave(l.program)
	l.ended = l.g.now
}

// gang is a match with liars among its guests.
type gang struct {
	*rig
	liars []*liar
	drops []*Drop
	told  []*Desync
	drawn map[netip.Addr]int // drawn is the number of bytes that the host has sent to each machine.
}

func newGang(t testing.TB, seed uint64, timeout time.Duration, lies ...lie) *gang {
	g := &gang{rig: newRig(t, seed), drawn: map[netip.Addr]int{}}
	g.line = Conditions{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: .02}
	g.options.Players, g.options.WaitFor = min(3+len(lies)+1, maxPlayers), 3
	for _, l := range lies {
		if !l.early {
			g.options.WaitFor++
		}
	}
	g.options.Timeout = timeout
	g.options.OnDrop = func(d *Drop) { g.drops = append(g.drops, d) }
	g.options.OnDesync = func(d *Desync) { g.told = append(g.told, d) }
	host := g.add(60)
	send := host.match.send
	host.match.send = func(to netip.AddrPort, b []byte) {
		g.drawn[to.Addr()] += len(b)
		send(to, b)
	}
	g.add(60)
	g.add(60)
	for i := range lies {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 1)
		l := &liar{lie: &lies[i], g: g, random: rand.New(rand.NewPCG(seed, uint64(100+i))), at: at}
		g.liars = append(g.liars, l)
		l.join()
	}
	return g
}

func (l *liar) join() {
	at := l.at
	if l.lie.moves {
		at = netip.AddrPortFrom(l.at.Addr(), l.at.Port()+uint16(l.number))
		if l.number > 2 { // the machine of this guest is known at this point
			at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(l.number >> 8), byte(l.number)}), 1)
		}
	}
	l.number++
	l.program = l.g.addAt(60, at)
	l.lies, l.joined, l.ended, l.heard = true, l.g.now, 0, nil
	p, send := l.program, l.match.send
	p.match.send = func(to netip.AddrPort, b []byte) {
		if l.program != p {
			return
		}
		if len(l.heard) < 500 {
			l.heard = append(l.heard, bytes.Clone(b))
		}
		out := [][]byte{b}
		if l.lie.send != nil && l.lying() {
			out = l.lie.send(l, bytes.Clone(b))
		}
		for _, b := range out {
			send(to, b)
		}
	}
}

// abandon makes a liar stop sending without a goodbye.
func (l *liar) abandon() {
	l.g.programs = slices.DeleteFunc(l.g.programs, func(p *program) bool { return p == l.program })
	l.match.send = func(netip.AddrPort, []byte) {}
	l.match.ended = errClosed
	if err := l.Close(); err != nil {
		l.g.t.Error(err)
	}
	l.ended = l.g.now
}

// play lets time pass.
func (g *gang) play(d time.Duration) {
	for end := g.now + d; g.now < end; {
		for _, l := range g.liars {
			switch {
			case l.ended > 0:
				if l.lie.again > 0 && g.now-l.ended >= l.lie.again {
					l.join()
				}
			case l.err != nil:
				l.leaves()
			case l.lie.frame != nil && l.lying():
				l.lie.frame(l)
			}
		}
		g.run(16 * time.Millisecond)
	}
}

// cost returns the greatest loss of a program in that time, in seconds.
func (g *gang) cost(d time.Duration) float64 {
	tick := g.programs[0].Metrics().Tick
	for _, p := range g.programs[1:] {
		if !p.lies {
			tick = min(tick, p.Metrics().Tick)
		}
	}
	return d.Seconds() - float64(tick)/60
}

// change changes the report in a datagram, and returns the changed datagram.
func change(l *liar, b []byte, how func(*report)) [][]byte {
	if b[headLen-1] != kindReport {
		return [][]byte{b}
	}
	rest := reader{b: b[headLen:]}
	r := rest.report(l.o.Players)
	if how(&r); rest.bad {
		l.g.t.Fatal("a report of its own cannot be read")
	}
	return [][]byte{append(appendReport(bytes.Clone(b[:headLen]), &r, l.o.Players), rest.b...)}
}

func reports(how func(*liar, *report)) func(*liar, []byte) [][]byte {
	return func(l *liar, b []byte) [][]byte { return change(l, b, func(r *report) { how(l, r) }) }
}

// theLies returns all kinds of liars and of absent guests.
func theLies() []lie {
	silent := func(l *liar) { l.still = true }
	return []lie{
		{name: "pauses", frame: func(l *liar) {
			if e := l.Engine(); e != nil {
				e.SetPaused(true)
			}
		}},
		{name: "minimises its window", frame: silent},
		{name: "minimises, and joins again", frame: silent, again: 100 * time.Millisecond},
		{name: "plays at half the speed", frame: func(l *liar) { l.hurry = .5 }},
		{name: "stands still now and then", frame: func(l *liar) { l.still = l.g.now/time.Second%3 == 0 }},
		{name: "falls silent", frame: func(l *liar) { l.abandon() }},
		{name: "falls silent, and joins again", frame: func(l *liar) { l.abandon() }, again: time.Second},
		{name: "joins from a new address each second", early: true, again: time.Second / 60, moves: true, frame: func(l *liar) {
			if l.still = true; l.g.now-l.joined > time.Second {
				l.abandon()
			}
		}},
		{name: "holds up, leaves and joins again", again: 100 * time.Millisecond, moves: true, frame: func(l *liar) {
			if l.still = true; l.g.now-l.joined > time.Second+l.o.Timeout*4/5 {
				l.leaves()
			}
		}},
		{name: "joins and leaves all the time", early: true, again: 30 * time.Millisecond, frame: func(l *liar) {
			if l.Engine() != nil {
				l.leaves()
			}
		}},
		{name: "acknowledges nothing", bytes: 80, send: reports(func(_ *liar, r *report) { r.known, r.content, r.base, r.arrived = [maxPlayers]uint64{}, 0, 0, 0 })},
		{name: "acknowledges late", bytes: 80, send: reports(func(_ *liar, r *report) {
			for i := range r.known {
				r.known[i] -= min(r.known[i], mostSilent-100)
			}
		})},
		{name: "asks for the world, takes nothing", again: time.Second, early: true, bytes: 600, frame: func(l *liar) {
			if p := l.match.peers[0]; p.size > 0 {
				p.size = 1 << 30
			} else if l.Engine() != nil {
				l.leaves()
			}
		}, send: reports(func(_ *liar, r *report) { r.known, r.content, r.base, r.arrived = [maxPlayers]uint64{}, 0, 0, 0 })},
		{name: "says at once that it is ready", again: time.Second, early: true, send: reports(func(_ *liar, r *report) {
			r.ready, r.content = 1, theBodies
		}), frame: func(l *liar) { l.still = true }},
		{name: "tells wrong hashes", send: reports(func(_ *liar, r *report) { r.hash++ })},
		{name: "tells wrong hashes, and joins again", again: 20 * time.Millisecond, send: reports(func(_ *liar, r *report) { r.hash++ })},
		{name: "tells wrong hashes from new addresses", again: 20 * time.Millisecond, moves: true, send: reports(func(_ *liar, r *report) { r.hash++ })},
		{name: "tells no hashes", send: reports(func(_ *liar, r *report) { r.final = 0 })},
		{name: "tells hashes of the far future", send: reports(func(_ *liar, r *report) { r.final = farthest })},
		{name: "plays in another world", frame: func(l *liar) { l.game.fault = max(l.game.fault, l.match.present+1) }},
		{name: "says that it is at tick 0", send: reports(func(_ *liar, r *report) { r.tick, r.seenTick = 0, farthest })},
		{name: "says that it is in the far future", send: reports(func(_ *liar, r *report) { r.tick, r.seenTick = farthest, 0 })},
		{name: "says that it is anywhere", send: reports(func(l *liar, r *report) {
			r.tick, r.seenTick = l.random.Uint64N(2*l.match.present+10), l.random.Uint64N(2*l.match.present+10)
		})},
		{name: "lies about the round trip", send: reports(func(l *liar, r *report) {
			r.echo, r.held = max(r.echo, 200)-l.random.Uint64N(200), l.random.Uint64N(1<<20)
		})},
		{name: "says that it waits for others", send: reports(func(_ *liar, r *report) { r.waits = 1 })},
		{name: "gives inputs for others", send: func(l *liar, b []byte) [][]byte {
			out := [][]byte{b}
			t := &l.match.tracks[l.Player()]
			for i := range l.o.Players {
				r := report{seq: 1 << 40, tick: l.match.present}
				c := appendReport(bytes.Clone(b[:headLen]), &r, l.o.Players)
				c[headLen-1] = kindReport
				c, _ = appendTrack(c, i, t, max(t.first, t.known-min(t.known, kept)), t.known, 500)
				out = append(out, c)
			}
			return out
		}},
		{name: "gives inputs for the far future", send: func(l *liar, b []byte) [][]byte {
			t := newTracks(1, l.o.InputSize, l.match.present)[0]
			t.addAbsent(t.first + 3000)
			c, _ := appendTrack(bytes.Clone(b), l.Player(), &t, t.first, t.known, 200)
			return [][]byte{b, c}
		}},
		{name: "gives no inputs", send: func(l *liar, b []byte) [][]byte {
			if b[headLen-1] != kindReport {
				return [][]byte{b}
			}
			rest := reader{b: b[headLen:]}
			rest.report(l.o.Players)
			return [][]byte{b[:len(b)-len(rest.b)]}
		}},
		{name: "sends old datagrams again", send: func(l *liar, b []byte) [][]byte {
			out := [][]byte{b}
			for range 10 {
				out = append(out, l.heard[l.random.IntN(len(l.heard))])
			}
			return out
		}},
		{name: "sends nothing but old datagrams", send: func(l *liar, _ []byte) [][]byte {
			return [][]byte{l.heard[l.random.IntN(len(l.heard))]}
		}},
		{name: "floods", frame: func(l *liar) {
			for range norace.Rounds(150, 30) {
				b := mutate(l.random, l.heard[l.random.IntN(len(l.heard))])
				l.floods(b[:min(len(b), MaxPacket)])
			}
		}},
		{name: "floods with greetings", frame: func(l *liar) {
			for i := range norace.Rounds(150, 30) {
				b := append(append(l.match.digest[:], kindHello), l.match.nonce[:]...)
				b = binary.LittleEndian.AppendUint64(append(b, make([]byte, headLen)...), uint64(i))
				l.floods(b)
			}
		}},
		{name: "sends bodies and hashes that nobody asked for", send: func(l *liar, b []byte) [][]byte {
			chunk := append(bytes.Clone(b[:headLen]), theBodies)
			chunk = binary.AppendUvarint(binary.AppendUvarint(chunk, mostSnapshot), uint64(l.random.IntN(60)))
			chunk = append(chunk, make([]byte, chunkSize)...)
			hashes := binary.AppendUvarint(binary.AppendUvarint(bytes.Clone(b[:headLen]), 2), l.match.final)
			hashes = append(hashes, make([]byte, 16)...)
			chunk[headLen-1], hashes[headLen-1] = kindChunk, kindHashes
			return [][]byte{b, chunk, hashes}
		}},
	}
}

var lying = flag.Duration("liars", 4*time.Second, "how long each match with a liar lasts, in simulated time; from 30 s on with a Timeout of 5 s")

// bound returns the greatest allowed cost of that many liars in a match of length d, in
// seconds. It consists of the Timeout for each liar, another Timeout for each liar that
// joins again, two per cent, and 0.7 s for the beginning.
func (g *gang) bound(liars int, d time.Duration) float64 {
	again := 0.
	for _, l := range g.liars {
		if l.lie.again > 0 {
			again = 1
		}
	}
	return (float64(liars)+again)*g.options.Timeout.Seconds() + d.Seconds()/forgiven*float64(liars) + .7
}

// judge fails the test if honest players have lost more than the documented time, differ,
// or are dropped.
func (g *gang) judge(liars int, d time.Duration) (cost float64) {
	g.t.Helper()
	cost = g.cost(d)
	if most := g.bound(liars, d); cost > most {
		g.t.Errorf("seed %d: it has cost the honest %.1f s; at most %.1f are stated: %v", g.seed, cost, most, g.drops)
	}
	g.check()
	for _, drop := range g.drops {
		if drop.Addr.Addr() == g.programs[0].at.Addr() {
			g.t.Errorf("seed %d: an honest guest: %v", g.seed, drop)
		}
	}
	if m := g.programs[0].Metrics(); m.Checked+mostSilent+200 < m.Tick {
		g.t.Errorf("seed %d: of %d ticks %d are compared", g.seed, m.Tick, m.Checked)
	}
	return cost
}

// A guest lies or is absent. The other players lose at most the time that docs/netplay.md
// states, and have the same hashes. (Earlier, a match stood still while it received
// datagrams from such a guest.)
func TestALiarCostsTheOthersTheStatedTimeOnce(t *testing.T) {
	for i, l := range norace.Some(theLies()[:whole.Rounds(len(theLies()), 4)], 2) {
		t.Run(l.name, func(t *testing.T) {
			timeout := time.Second
			if *lying >= 30*time.Second {
				timeout = 5 * time.Second
			}
			g := newGang(t, uint64(i), timeout, l)
			g.play(*lying)
			cost := g.judge(1, *lying)
			drawn := 0
			for at, n := range g.drawn {
				if at != g.programs[0].at.Addr() {
					drawn += n
				}
			}
			rate, most := float64(drawn)/1000/lying.Seconds(), l.bytes
			if most == 0 {
				most = 60
			}
			if rate > most {
				t.Errorf("it draws %.0f kB/s", rate)
			}
			t.Logf("| %s | %.1f | %.0f | %d, %d |", l.name, cost, rate, len(g.drops), len(g.told))
			if testing.Verbose() {
				for _, d := range g.drops {
					t.Log(d)
				}
			}
		})
	}
}

// All kinds of liars play at once, some of them more than once, in matches of their own.
func TestAttackLiars(t *testing.T) {
	a := attack.Start(t)
	lies := theLies()
	for r := range a.Rounds() {
		some := make([]lie, 1+r.IntN(4))
		names := ""
		for i := range some {
			some[i] = lies[r.IntN(len(lies))]
			names += fmt.Sprintf(", %s", some[i].name)
		}
		d := time.Duration(10+r.IntN(50)) * time.Second
		g := newGang(t, r.Uint64(), time.Duration(1+r.IntN(5))*time.Second, some...)
		g.play(d)
		g.judge(len(some), d)
		a.Count("s of play", uint64(d.Seconds()))
		a.Count("liars", uint64(len(some)))
		a.Count("drops", uint64(len(g.drops)+len(g.told)))
		if t.Failed() {
			t.Logf("liars: %s", names[2:])
			return
		}
		g.close()
	}
}

// BenchmarkAnHourOfAMatch measures the cost of an hour of a match of four players, with
// guests that join and leave, in one process and in simulated time. It takes minutes:
//
//	go test ./engine/netplay -run '^$' -bench AnHourOfAMatch -benchtime 1x -timeout 2h
func BenchmarkAnHourOfAMatch(b *testing.B) {
	for b.Loop() {
		var churn lie
		for _, l := range theLies() {
			if l.name == "joins and leaves all the time" {
				churn = l
			}
		}
		churn.moves = true
		g := newGang(b, 1, 5*time.Second, churn)
		g.options.OnDrop, g.options.OnDesync = nil, nil
		for minute := range 60 {
			g.play(time.Minute)
			g.gone = nil
			for _, p := range g.programs { // values that the test has recorded
				p.from += uint64(len(p.hashes))
				clear(p.hashes)
				clear(p.events)
			}
			for at := range g.network.lines { // lines of guests that have left
				if !slices.ContainsFunc(g.programs, func(p *program) bool { return p.at == at }) {
					delete(g.network.lines, at)
				}
			}
			if name := map[int]string{0: "MB-after-1-min", 9: "MB-after-10-min", 29: "MB-after-30-min", 59: "MB-after-60-min"}[minute]; name != "" {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/1e6, name)
			}
		}
		b.ReportMetric(float64(g.liars[0].number), "joins")
		g.close()
	}
}
