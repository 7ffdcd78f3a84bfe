package netplay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"
)

func TestConditionsAreReadOrRefused(t *testing.T) {
	c, err := ParseConditions("80ms,20ms,5%")
	if err != nil || c.Delay != 80*time.Millisecond || c.Jitter != 20*time.Millisecond || c.Loss != .05 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, text := range []string{"", "80ms", "1s,0s"} {
		if _, err := ParseConditions(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"80", "80ms,", "80ms,20ms,5", "80ms,20ms,101%", "80ms,20ms,NaN%", "-1ms", "1s,1s,1%,1", ",,"} {
		if c, err := ParseConditions(text); err == nil {
			t.Errorf("%q is taken as %+v", text, c)
		}
	}
}

func TestALineThatRepeatsEverythingDoesSoOnce(t *testing.T) {
	network := new(Memory)
	a, b := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	from, to := Conditions{Twice: 1}.Worsen(network.Line(a)), network.Line(b)
	var packet [MaxPacket]byte
	for range 3 {
		from.Send(b, []byte{7})
		came := 0
		for _, _, ok := to.Receive(packet[:]); ok; _, _, ok = to.Receive(packet[:]) {
			came++
		}
		if came != 2 {
			t.Fatalf("it comes %d times", came)
		}
	}
}

func TestABadLineDelaysLosesAndRepeatsAsItSays(t *testing.T) {
	now, network := time.Duration(0), new(Memory)
	a, b := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	c := Conditions{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: .2, Twice: .1, Now: func() time.Duration { return now }}
	from, to := c.Worsen(network.Line(a)), network.Line(b)
	came, overtaken, last := 0, 0, byte(0)
	var packet [MaxPacket]byte
	const sent = 4000
	for i := range sent + 100 {
		now += time.Millisecond
		if i < sent {
			from.Send(b, []byte{byte(i / 4)})
		} else {
			from.Receive(packet[:])
		}
		for n, at, ok := to.Receive(packet[:]); ok; n, at, ok = to.Receive(packet[:]) {
			if came++; n != 1 || at != a {
				t.Fatalf("%d bytes from %v", n, at)
			}
			if i < 40 {
				t.Fatalf("one comes after %d ms", i)
			}
			if packet[0] < last && last-packet[0] < 100 {
				overtaken++
			}
			last = packet[0]
		}
	}
	if want := sent * .8 * 1.11; float64(came) < want*.95 || float64(came) > want*1.05 || overtaken == 0 {
		t.Errorf("%d of %d come, %d overtaken; want about %v", came, sent, overtaken, want)
	}
}

func TestUDPCarriesDatagramsAndDropsLargerOnes(t *testing.T) {
	a, err := ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer a.Close()
	b, err := ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer b.Close()
	if _, err := a.conn.WriteToUDPAddrPort(make([]byte, MaxPacket+1), b.Addr()); err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte{7}, MaxPacket)
	var got [MaxPacket]byte
	for range 5000 { // loopback loses little
		a.Send(b.Addr(), want)
		time.Sleep(time.Millisecond)
		if n, from, ok := b.Receive(got[:]); ok {
			if n != MaxPacket || from != a.Addr() || !bytes.Equal(got[:], want) {
				t.Errorf("%d bytes from %v", n, from)
			}
			break
		}
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("again: %v", err)
	}
	a.Send(b.Addr(), want) // into nothing
	a.Receive(got[:])
}

func TestWhatWasSentBeforeUDPClosesArrives(t *testing.T) {
	for range 20 {
		var lines [2]*UDP
		for i := range lines {
			u, err := ListenUDP("127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			defer u.Close()
			lines[i] = u
		}
		const sent = 8
		for range sent {
			lines[0].Send(lines[1].Addr(), []byte("the last words"))
		}
		if err := lines[0].Close(); err != nil {
			t.Error(err)
		}
		var into [MaxPacket]byte
		come := 0
		for wait := 0; come < sent && wait < 1000; wait++ {
			if _, _, ok := lines[1].Receive(into[:]); ok {
				come++
			} else {
				time.Sleep(time.Millisecond)
			}
		}
		if come < sent { // loopback loses no packet if there are so few
			t.Fatalf("%d of %d datagrams have come", come, sent)
		}
	}
}

// BenchmarkBandwidth prints a program's traffic in bytes a second, without the headers of
// UDP and IP. The program runs at 60 frames and ticks a second, with a new input in every
// tenth. In an analog input the other bytes change in every frame.
//
//	go test ./engine/netplay -run '^$' -bench Bandwidth -benchtime 1x
func BenchmarkBandwidth(b *testing.B) {
	for _, players := range []int{2, 4, 8} {
		for _, size := range []int{1, 8, -8} {
			analog := size < 0
			size = max(size, -size)
			for _, trip := range []time.Duration{0, 100, 300} {
				b.Run(fmt.Sprintf("players=%d/bytes=%d/analog=%v/trip=%dms", players, size, analog, trip), func(b *testing.B) {
					for b.Loop() {
						r := newRig(b, 1)
						r.line.Delay = trip * time.Millisecond / 2
						r.options.Players, r.options.InputSize, r.options.Window = players, size, 30
						r.analog = analog
						for range players {
							r.add(60)
						}
						r.run(2 * time.Second)
						host, guest := r.programs[0].Metrics().Sent, r.programs[1].Metrics().Sent
						const seconds = 10
						r.run(seconds * time.Second)
						b.ReportMetric(float64(r.programs[0].Metrics().Sent-host)/seconds, "host-B/s")
						b.ReportMetric(float64(r.programs[1].Metrics().Sent-guest)/seconds, "guest-B/s")
						r.close()
					}
				})
			}
		}
	}
}

func TestATransferArrivesWholeOverAnyLine(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, r.IntN(300_000)+1)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		out, in := outgoing{data: data}, incoming{}
		type chunk struct {
			index int
			b     []byte
		}
		var way []chunk
		for now := time.Duration(0); !out.over(); now += 10 * time.Millisecond {
			if now > time.Minute {
				t.Fatalf("seed %d: %d of %d chunks have come", seed, in.base, out.chunks())
			}
			out.due(now, 50*time.Millisecond, func(i int, b []byte) bool {
				for n := r.IntN(3); n > 0; n-- { // lost, once, twice
					way = append(way, chunk{i, b})
				}
				return true
			})
			r.Shuffle(len(way), func(i, j int) { way[i], way[j] = way[j], way[i] })
			for n := len(way) / 2; n > 0; n-- {
				c := way[0]
				if way = way[1:]; !in.take(0, uint64(len(data)), uint64(c.index), c.b) {
					t.Fatalf("seed %d: chunk %d is refused", seed, c.index)
				}
			}
			if r.IntN(3) > 0 {
				out.done(0, uint64(in.base), in.arrived)
			}
		}
		if !bytes.Equal(in.assembled(), data) {
			t.Errorf("seed %d: %d bytes arrive as %d", seed, len(data), len(in.assembled()))
		}
		if out.data != nil {
			t.Errorf("seed %d: %d bytes are kept after they have arrived", seed, len(out.data))
		}
	}
}
