package main

import (
	"math/rand/v2"
	"time"
)

// The line between the peers, in one direction.
const (
	latency = 100 * time.Millisecond
	jitter  = 30 * time.Millisecond // more or less
	lost    = .02                   // part of the packets
)

type packet struct {
	first  uint64  // tick of the first input
	inputs []input // all that the other peer has not acknowledged
	known  uint64  // how many inputs of the other peer have arrived

	tick, hash uint64 // of the newest tick whose inputs are all known
}

// line carries packets in one direction, late, in any order, and loses some.
type line struct {
	random *rand.Rand
	under  []sent
}

type sent struct {
	arrives time.Duration
	packet  packet
}

func newLine(seed uint64) *line { return &line{random: rand.New(rand.NewPCG(seed, 1))} }

func (l *line) send(now time.Duration, p packet) {
	late := latency + time.Duration((2*l.random.Float64()-1)*float64(jitter))
	if l.random.Float64() >= lost {
		l.under = append(l.under, sent{now + late, p})
	}
}

func (l *line) receive(now time.Duration) (arrived []packet) {
	for {
		next := -1
		for i := range l.under {
			if l.under[i].arrives <= now && (next < 0 || l.under[i].arrives < l.under[next].arrives) {
				next = i
			}
		}
		if next < 0 {
			return arrived
		}
		arrived = append(arrived, l.under[next].packet)
		l.under = append(l.under[:next], l.under[next+1:]...)
	}
}
