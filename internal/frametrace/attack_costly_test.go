package frametrace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"halfstep/test/attack"
)

// Small traces that demand much take memory and time in proportion to their bytes.
func TestAttackCostlyTraces(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		n := 1 << (10 + r.IntN(11))
		var text string
		what := r.IntN(8)
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
		case 5:
			text = `{"Runs":[{"CaptureData":{"MsBetweenPresents":[1` + strings.Repeat(",1", n) + `]}}]}`
		case 6:
			text = `{"Runs":[` + strings.Repeat("[", n)
		case 7: // each row belongs to a program of its own
			b := []byte("MsBetweenPresents,Application\n")
			for i := range n / 8 {
				b = fmt.Appendf(b, "1,%d\n", i)
			}
			text = string(b)
		}
		a.Spend(attack.Budget{Heap: 16 << 20, HeapPerByte: 64, CPU: time.Second, CPUPerByte: 2 * time.Microsecond}, fmt.Sprintf("a trace of kind %d", what), len(text), func() {
			if _, err := ReadTrace(bytes.NewReader([]byte(text)), ""); err != nil {
				a.Count("refused", 1)
			}
		})
	}
}
