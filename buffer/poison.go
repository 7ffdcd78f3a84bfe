//go:build !race

package buffer

// poison is false outside of race builds; see poison_race.go.
const poison = false
