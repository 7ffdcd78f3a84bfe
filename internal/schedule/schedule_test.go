package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/buffer"
)

const many = 40_000

// commands returns many commands. The value of each command is its number.
func commands(at func(i int) uint64) []buffer.Scheduled[int] {
	o := make([]buffer.Scheduled[int], many)
	for i := range o {
		o[i] = buffer.Scheduled[int]{At: at(i), Command: i}
	}
	return o
}

var arrivals = map[string]func(i int) uint64{
	"one tick":         func(int) uint64 { return 7 },
	"descending ticks": func(i int) uint64 { return uint64(many - i) },
	"ascending ticks":  func(i int) uint64 { return uint64(i + 1) },
	"a few ticks":      func(i int) uint64 { return uint64(i*7919%13) + 1 },
}

func TestOrdersComeInOrderOfTickAndThenOfArrival(t *testing.T) {
	for name, at := range arrivals {
		var q Queue[int]
		given := commands(at)
		for _, o := range given {
			q.Add(o)
		}
		slices.SortStableFunc(given, func(a, b buffer.Scheduled[int]) int { return int(a.At) - int(b.At) })
		for i, want := range given {
			if early := q.Due(want.At - 1); early != nil {
				t.Fatalf("%s: %+v came before its tick", name, *early)
			}
			if got := q.Due(want.At); got == nil || *got != want {
				t.Fatalf("%s: command %d is %+v, want %+v", name, i, got, want)
			}
		}
		if q.Due(^uint64(0)) != nil || q.Len() != 0 {
			t.Errorf("%s: commands are left", name)
		}
	}
}

func TestOrdersThatComeWhileOthersLeaveStayInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q Queue[int]
	var want []buffer.Scheduled[int]
	for i := range many {
		o := buffer.Scheduled[int]{At: r.Uint64N(50) + 1, Command: i}
		q.Add(o)
		at, _ := slices.BinarySearchFunc(want, o, func(a, b buffer.Scheduled[int]) int {
			if a.At <= b.At {
				return -1
			}
			return 1
		})
		want = slices.Insert(want, at, o)
		for len(want) > 100 || len(want) > 0 && r.IntN(3) == 0 {
			if got := q.Due(50); *got != want[0] {
				t.Fatalf("%+v came where %+v was due", *got, want[0])
			}
			want = want[1:]
		}
	}
}

// A queue that shifts its records would move 800 million records.
func TestManyOrdersCostLittleMoreThanOneEach(t *testing.T) {
	for name, at := range arrivals {
		var q Queue[int]
		for _, o := range commands(at) {
			q.Add(o)
		}
		for q.Due(^uint64(0)) != nil {
		}
		if most := uint64(2 * 16 * many); q.moved > most { // 2^16 > many
			t.Errorf("%s: %d keys moved, at most %d are expected", name, q.moved, most)
		}
	}
}

func TestTheMemoryOfABurstIsUsedAgain(t *testing.T) {
	var q Queue[int]
	given := commands(arrivals["descending ticks"])
	burst := func() {
		for _, o := range given {
			q.Add(o)
		}
		for q.Due(^uint64(0)) != nil {
		}
	}
	burst()
	if n := testing.AllocsPerRun(3, burst); n != 0 {
		t.Errorf("%v allocations in a burst like the one before", n)
	}
}

func TestADroppedOrderHoldsOnToNothing(t *testing.T) {
	var q Queue[*int]
	q.Add(buffer.Scheduled[*int]{At: 1, Command: new(int)})
	q.Due(1)
	q.Due(1)
	if q.commands[0].Command != nil {
		t.Error("the queue still points to the command")
	}
}

func TestAppendListsWhatWaitsInItsOrder(t *testing.T) {
	var q Queue[int]
	for i, at := range []uint64{9, 3, 7, 3, 1} {
		q.Add(buffer.Scheduled[int]{At: at, Command: i})
	}
	now := q.Due(1)
	list := q.Append(nil)
	want := []buffer.Scheduled[int]{{At: 3, Command: 1}, {At: 3, Command: 3}, {At: 7, Command: 2}, {At: 9, Command: 0}}
	if !slices.Equal(list, want) {
		t.Errorf("%+v wait, want %+v", list, want)
	}
	if *now != (buffer.Scheduled[int]{At: 1, Command: 4}) {
		t.Errorf("the command that is due is %+v", *now)
	}
}
