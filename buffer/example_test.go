package buffer_test

import (
	"fmt"

	"halfstep/buffer"
)

// A writer and a reader take turns, here on one goroutine.
func ExampleExchange() {
	x := buffer.NewExchange[float64]()
	publish := func(tick uint64, states ...float64) {
		s := x.Next()
		s.States = append(s.States[:0], states...)
		s.Meta = buffer.Meta{Tick: tick}
		if tick == 0 {
			x.Restart()
			return
		}
		x.Publish()
	}
	publish(0, 1)
	publish(1, 1.5)
	publish(2, 2.5)
	fmt.Println(x.Acquire(), x.Previous().States, x.Current().States)
	fmt.Println(x.Acquire())
	// Output:
	// true [1.5] [2.5]
	// false
}

// The example has a reader for one more goroutine. Engine.NewReader is easier to use.
func ExampleReader() {
	l := buffer.NewLink[float64, int, int]()
	publish := func(tick uint64) {
		s := l.Exchange.Next()
		s.States = append(s.States[:0], float64(tick)/2)
		s.Meta = buffer.Meta{Tick: tick}
		l.Exchange.Publish()
	}
	r := l.NewReader()
	defer r.Close()
	for tick := range uint64(4) {
		publish(tick)
	}
	r.Acquire()
	fmt.Println(r.Current().Tick, r.Previous().States, r.Current().States)
	// Output: 3 [1] [1.5]
}

func ExampleLog() {
	l := buffer.NewLog[string]()
	l.Append("a body came")
	l.Append("it hit the ground")
	limit := l.Count() // the reader gets this count with a state
	for r := l.Peek(limit); r != nil; r = l.Peek(limit) {
		fmt.Println(*r)
		l.Take()
	}
	// Output:
	// a body came
	// it hit the ground
}
