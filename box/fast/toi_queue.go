package fast

import "halfstep/internal/reslice"

// toiQueue finds the candidate with the earliest time of impact. It is a tournament tree: each node
// has the earlier of its two children, so a change updates one path to the root. The library has no
// tree, and looks at every contact for each event.
type toiQueue struct {
	alphas  []float64 // by index in toiSolver.candidates: the time of impact, or 1 if there is no event
	winners []int32   // by node: its winner; node i has the children 2i and 2i+1; candidate k is at node leaves+k
	leaves  int       // the number of leaves, a power of two

	dirty  []int32 // candidates that must be checked again
	checks int     // the number of checks of candidates
}

// build makes the tree from the times of impact in alphas.
func (q *toiQueue) build() {
	q.leaves = 1
	for q.leaves < len(q.alphas) {
		q.leaves *= 2
	}
	q.winners = reslice.ResizeDirty(q.winners, q.leaves)
	for node := q.leaves - 1; node > 0; node-- {
		q.winners[node] = q.winner(node)
	}
}

// add appends a candidate that has no event.
func (q *toiQueue) add() {
	q.alphas = append(q.alphas, 1)
	if len(q.alphas) > q.leaves {
		q.build()
		return
	}
	q.set(int32(len(q.alphas)-1), 1)
}

// set changes the time of impact of candidate k.
func (q *toiQueue) set(k int32, alpha float64) {
	q.alphas[k] = alpha
	for node := (q.leaves + int(k)) / 2; node > 0; node /= 2 {
		q.winners[node] = q.winner(node)
	}
}

// winner returns the earlier of a node's two children. If both have the same time, the newer
// candidate wins.
func (q *toiQueue) winner(node int) int32 {
	older, newer := q.at(2*node), q.at(2*node+1)
	if newer >= 0 && !(q.alphas[older] < q.alphas[newer]) {
		return newer
	}
	return older
}

// at returns the candidate that wins at a node, or -1.
func (q *toiQueue) at(node int) int32 {
	if node < q.leaves {
		return q.winners[node]
	}
	if k := node - q.leaves; k < len(q.alphas) {
		return int32(k)
	}
	return -1
}

// first returns the candidate with the earliest event, and its time. If several candidates have the
// same time, it returns the newest. It returns -1 if no event comes before the end of the step.
func (q *toiQueue) first() (k int32, alpha float64) {
	k = q.at(1)
	if k < 0 || !(q.alphas[k] < 1) {
		return -1, 1
	}
	return k, q.alphas[k]
}
