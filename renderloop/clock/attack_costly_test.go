package clock

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"halfstep/internal/attack"
)

// Traces that are small and ask for much take memory and time as their bytes allow.
func TestAttackCostlyTraces(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		n := 1 << (10 + r.IntN(11))
		var text string
		what := r.IntN(5)
		switch what {
		case 0:
			text = strings.Repeat("1\n", n)
		case 1:
			text = strings.Repeat("\n", n) + "1\n"
		case 2:
			text = "MsBetweenPresents" + strings.Repeat(",a", n/64) + "\n" + strings.Repeat("1\n", n/8)
		case 3:
			text = "MsBetweenPresents,x\n" + strings.Repeat("1,\n", n)
		case 4:
			text = "MsBetweenPresents\n" + strings.Repeat(`"1"`+"\n", n) + strings.Repeat(",", n)
		}
		a.Spend(attack.Budget{Heap: 16 << 20, HeapPerByte: 48, CPU: time.Second, CPUPerByte: 2 * time.Microsecond}, fmt.Sprintf("a trace of kind %d", what), len(text), func() {
			if _, err := ReadTrace(bytes.NewReader([]byte(text))); err != nil {
				a.Count("refused", 1)
			}
		})
	}
}
