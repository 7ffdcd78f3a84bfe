package main

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// text is a line that is built by appending to a buffer, which is reused in every frame, so that no
// frame allocates.
type text []byte

// s returns the text as a string, which is valid until its buffer is used again.
func (t text) s() string { return unsafe.String(unsafe.SliceData(t), len(t)) }

func (t text) str(s string) text { return append(t, s...) }
func (t text) int(n int64) text  { return strconv.AppendInt(t, n, 10) }

// short writes a number with as many digits as it needs, at most digits; -1 is no limit.
func (t text) short(x float64, digits int) text { return strconv.AppendFloat(t, x, 'g', digits, 64) }

// num writes a number with that many digits after the point. It never writes "-0".
func (t text) num(x float64, digits int) text {
	scale := math.Pow10(digits)
	if r := math.Round(x*scale) / scale; !math.IsInf(r, 0) && !math.IsNaN(r) {
		x = r + 0 // makes -0 to 0
	}
	if math.Abs(x) >= 1e6 {
		return strconv.AppendFloat(t, x, 'g', 6, 64)
	}
	return strconv.AppendFloat(t, x, 'f', digits, 64)
}

func (t text) pair(x, y float64) text { return t.num(x, 2).str(", ").num(y, 2) }

// ms writes milliseconds, with fewer digits the more there are, so that the width hardly changes.
func (t text) ms(x float64) text {
	digits := 0
	switch {
	case x < 10:
		digits = 2
	case x < 100:
		digits = 1
	}
	return t.num(x, digits).str(" ms")
}

// apart writes the distance, in m, between the places of a body in two worlds. When the worlds have
// diverged it is no longer of interest, and is not written in full.
func (t text) apart(m float64) text {
	switch {
	case m < 1:
		return t.num(m*1e3, 1).str(" mm")
	case m > 100:
		return t.str("more than 100 m")
	}
	return t.num(m, 2).str(" m")
}

// short writes a number with as many digits as it needs, at most four.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// maxPrinted is how many characters of a text are shown. The middle of a longer
// one is left out.
const maxPrinted = 1000

// printable makes a text that may come from a file safe to show in a terminal, a
// title, the picture or a log. It returns one line, in which escapes, line
// breaks, marks that change the direction of writing, and other characters that
// cannot be seen are replaced by escape sequences such as \n.
func printable(s string) string {
	var b strings.Builder
	for at, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[at:], "\uFFFD"):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[at])|0x100, 16)[1:])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	if b.Len() > maxPrinted {
		if r := []rune(b.String()); len(r) > maxPrinted {
			return string(r[:maxPrinted/2]) + "…" + string(r[len(r)-maxPrinted/2:])
		}
	}
	return b.String()
}
