package box

import (
	"fmt"
	"slices"

	"halfstep/internal/stamps"
)

// table has the objects of one kind by their numbers, and lists the active objects.
type table[T any] struct {
	All []T // by number

	// Active has the numbers of the active objects, the oldest first. An object that falls asleep in a step
	// stays until the next step begins. Objects that wake or are made in a step are at the end until
	// [World.Merge] sorts them.
	Active []int32

	// Order is a counter of changes of Active. It changes if an element has moved, has left or was replaced,
	// and not if an element is added at the end.
	Order uint64

	Stamps stamps.Stamps // by number: when each object last changed

	free   []int32 // free numbers; some may be in use after the world has gone back in time
	sorted int     // the number of elements of Active that are in order of age; the others wait for Merge
	age    uint64  // the highest age that an object has got so far
}

// older returns the age of the next object.
func (t *table[T]) older() uint64 {
	t.age++
	return t.age
}

// take returns a free number, or a new number at the end. It skips numbers in the list free that are in
// use again, because the world went back in time.
func (t *table[T]) take(isFree func(*T) bool) int32 {
	for k := len(t.free); k > 0; k = len(t.free) {
		n := t.free[k-1]
		t.free = t.free[:k-1]
		if isFree(&t.All[n]) {
			return n
		}
	}
	var zero T
	t.All = append(t.All, zero)
	return int32(len(t.All) - 1)
}

func (t *table[T]) clear(n int32) {
	var zero T
	t.All[n] = zero
	t.free = append(t.free, n)
}

// putFree adds a number to the list free. The number may be in the list already. From time to time
// putFree drops duplicates from the list.
func (t *table[T]) putFree(n int) {
	if len(t.free) > 2*len(t.All) {
		seen := make([]bool, len(t.All))
		k := 0
		for _, f := range t.free {
			if !seen[f] {
				seen[f] = true
				t.free[k] = f
				k++
			}
		}
		t.free = t.free[:k]
	}
	t.free = append(t.free, int32(n))
}

// enter adds the number n to the end of Active, unless listed points to true.
func (t *table[T]) enter(n int32, listed *bool) {
	if !*listed {
		*listed = true
		t.Active = append(t.Active, n)
	}
}

// leave removes from Active the elements for which stays returns false. It calls stays in the order of
// Active.
func (t *table[T]) leave(stays func(n int32) bool) {
	k, sorted := 0, t.sorted
	for i, n := range t.Active {
		if stays(n) {
			t.Active[k] = n
			k++
		} else if i < sorted {
			t.sorted--
		}
	}
	if k < len(t.Active) {
		t.Active = t.Active[:k]
		t.Order++
	}
}

// resort makes the next merge sort the whole of Active.
func (t *table[T]) resort() {
	t.Order++
	t.sorted = 0
}

// merge sorts Active after elements were added at its end.
func (t *table[T]) merge(scratch *[]int32, less func(a, b int32) bool) {
	if mergeTail(t.Active, &t.sorted, scratch, less) {
		t.Order++
	}
}

// mergeTail merges the end of a list, from the index *sorted on, into the part before the end. It
// reports whether any element has moved.
func mergeTail(list []int32, sorted *int, scratch *[]int32, less func(a, b int32) bool) (moved bool) {
	k := *sorted
	*sorted = len(list)
	tail := list[k:]
	if len(tail) == 0 {
		return false
	}
	order := func(a, b int32) int {
		if less(a, b) {
			return -1
		}
		return 1
	}
	if moved = !slices.IsSortedFunc(tail, order); moved {
		slices.SortFunc(tail, order)
	}
	if k == 0 || less(list[k-1], tail[0]) {
		return moved
	}
	// Merge from the end, with a copy of the added elements.
	*scratch = append((*scratch)[:0], tail...)
	aside := *scratch
	i, j := k-1, len(aside)-1
	for at := len(list) - 1; j >= 0; at-- {
		if i >= 0 && less(aside[j], list[i]) {
			list[at] = list[i]
			i--
		} else {
			list[at] = aside[j]
			j--
		}
	}
	return true
}

// validate checks that Active has the number of each listed object once.
func (t *table[T]) validate(flags *flags, listed func(*T) bool) error {
	seen := flags.of(len(t.All)) // no flag is set yet
	for _, n := range t.Active {
		if !listed(&t.All[n]) || seen[n] {
			return fmt.Errorf("Active holds %d twice, or its entry is not marked as listed", n)
		}
		seen[n] = true
	}
	for n := range seen {
		if !seen[n] && listed(&t.All[n]) {
			return fmt.Errorf("Active lacks %d, whose entry is marked as listed", n)
		}
	}
	return nil
}

// reaching returns a table that is long enough to have an element n.
func reaching[T any](table []T, n int) []T {
	return append(table, make([]T, max(0, n+1-len(table)))...)
}

// withRoom returns a table with capacity for n more elements. A table that must grow grows by at least
// a half, so that it is seldom copied.
func withRoom[T any](table []T, n int) []T {
	if len(table)+n <= cap(table) {
		return table
	}
	return append(make([]T, 0, max(len(table)+n, cap(table)+cap(table)/2)), table...) // slices.Grow would allocate more
}

// flags is scratch: a flag for each number.
type flags struct{ all []bool }

// of returns n flags that are not set.
func (f *flags) of(n int) []bool {
	if n > cap(f.all) {
		f.all = make([]bool, n+n/4)
	}
	f.all = f.all[:n]
	clear(f.all)
	return f.all
}
