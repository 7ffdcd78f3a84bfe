package netplay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Conditions describe a simulated bad line. They apply to both directions.
type Conditions struct {
	Delay  time.Duration // the time that a datagram travels
	Jitter time.Duration // the delay of a datagram differs from Delay by up to Jitter, at random, so datagrams may change their order
	Loss   float64       // the part of all datagrams that is lost, from 0 to 1
	Twice  float64       // the part of all datagrams that arrives twice, from 0 to 1
	Seed   uint64
	// Now returns the present time since any fixed instant. Nil means the wall clock.
	Now func() time.Duration
}

// ParseConditions reads delay, jitter and loss from a text such as "80ms,20ms,5%". A value that is
// missing at the end of the text is 0.
func ParseConditions(text string) (Conditions, error) {
	parts := [3]string{"0s", "0s", "0%"}
	if given := strings.Split(text, ","); len(given) > len(parts) {
		parts[0] = text
	} else if text != "" {
		copy(parts[:], given)
	}
	delay, err1 := time.ParseDuration(parts[0])
	jitter, err2 := time.ParseDuration(parts[1])
	percent, found := strings.CutSuffix(parts[2], "%")
	loss, err3 := strconv.ParseFloat(percent, 64)
	if errors.Join(err1, err2, err3) != nil || !found || delay < 0 || jitter < 0 || !(loss >= 0 && loss <= 100) {
		return Conditions{}, fmt.Errorf("line %q: want a delay, a jitter and a loss, such as 80ms,20ms,5%%", text)
	}
	return Conditions{Delay: delay, Jitter: jitter, Loss: loss / 100}, nil
}

// Worsen returns a line over l that is as bad as the conditions say. Worsen only one end of a
// connection, because the result delays and loses both sent and received datagrams.
func (c Conditions) Worsen(l Line) Line {
	c.Now = monotonic(c.Now)
	return &badLine{Conditions: c, Line: l, random: rand.New(rand.NewPCG(c.Seed, 1))}
}

// badLine delays and loses sent and received datagrams. Calls of Send and Receive also send the
// datagrams that have become due.
type badLine struct {
	Conditions
	Line
	random  *rand.Rand
	out, in []delayed // sent and received datagrams that are still delayed
}

type delayed struct {
	due time.Duration
	datagram
}

// delay adds a datagram to a list once, or twice, or not at all if the datagram is lost.
func (l *badLine) delay(list []delayed, d datagram) []delayed {
	times := 1
	if l.random.Float64() < l.Twice {
		times = 2
	}
	for range times {
		if len(list) == waiting {
			break // each line has this limit
		}
		late := l.Delay + time.Duration((2*l.random.Float64()-1)*float64(l.Jitter))
		if l.random.Float64() >= l.Loss {
			list = append(list, delayed{l.Now() + max(late, 0), d})
		}
	}
	return list
}

// next removes the datagram that is due first from a list and returns this datagram. The result ok
// is false if no datagram is due.
func (l *badLine) next(list *[]delayed) (d datagram, ok bool) {
	first := -1
	for i := range *list {
		if due := (*list)[i].due; due <= l.Now() && (first < 0 || due < (*list)[first].due) {
			first = i
		}
	}
	if first < 0 {
		return d, false
	}
	d = (*list)[first].datagram
	*list = append((*list)[:first], (*list)[first+1:]...)
	return d, true
}

// flush sends the datagrams that are due.
func (l *badLine) flush() {
	for d, ok := l.next(&l.out); ok; d, ok = l.next(&l.out) {
		l.Line.Send(d.at, d.bytes())
	}
}

// last sends all delayed datagrams at once. Session.Close calls last after the goodbyes, because
// there are no more calls of Send or Receive.
func (l *badLine) last() {
	for i := range l.out {
		l.Line.Send(l.out[i].at, l.out[i].bytes())
	}
	l.out = nil
}

func (l *badLine) Send(to netip.AddrPort, b []byte) {
	l.out = l.delay(l.out, newDatagram(to, b))
	l.flush()
}

func (l *badLine) Receive(into []byte) (n int, from netip.AddrPort, ok bool) {
	l.flush()
	for range waiting {
		n, from, ok = l.Line.Receive(into)
		if !ok {
			break
		}
		l.in = l.delay(l.in, newDatagram(from, into[:n]))
	}
	d, ok := l.next(&l.in)
	return copy(into, d.bytes()), d.at, ok
}
