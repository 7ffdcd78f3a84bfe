// Package words writes text for the user: lines of numbers, texts from files made safe to show, and
// names in plain words.
package words

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Line is a line of text in a buffer. The buffer is reused in every frame, so that no frame
// allocates.
type Line []byte

// S returns the text as a string. The string is valid until the buffer is reused.
func (t Line) S() string { return unsafe.String(unsafe.SliceData(t), len(t)) }

func (t Line) Str(s string) Line { return append(t, s...) }
func (t Line) Int(n int64) Line  { return strconv.AppendInt(t, n, 10) }

// Short writes a number with as many digits as it needs, but with no more than `digits` digits.
// With -1 there is no limit.
func (t Line) Short(x float64, digits int) Line { return strconv.AppendFloat(t, x, 'g', digits, 64) }

// Num writes a number with that many digits after the point. It never writes "-0".
func (t Line) Num(x float64, digits int) Line {
	scale := math.Pow10(digits)
	if r := math.Round(x*scale) / scale; !math.IsInf(r, 0) && !math.IsNaN(r) {
		x = r + 0 // makes -0 to 0
	}
	if math.Abs(x) >= 1e6 {
		return strconv.AppendFloat(t, x, 'g', 6, 64)
	}
	return strconv.AppendFloat(t, x, 'f', digits, 64)
}

func (t Line) Pair(x, y float64) Line { return t.Num(x, 2).Str(", ").Num(y, 2) }

// Ms writes milliseconds. Larger numbers have fewer digits, so that the width hardly changes.
func (t Line) Ms(x float64) Line {
	digits := 0
	switch {
	case x < 10:
		digits = 2
	case x < 100:
		digits = 1
	}
	return t.Num(x, digits).Str(" ms")
}

// Apart writes the distance, in m, between the positions of a body in two worlds. If the worlds
// have diverged, it does not write the distance in full.
func (t Line) Apart(m float64) Line {
	switch {
	case m < 1:
		return t.Num(m*1e3, 1).Str(" mm")
	case m > 100:
		return t.Str("more than 100 m")
	}
	return t.Num(m, 2).Str(" m")
}

// Short returns a number as text, with as many digits as it needs, but at most four.
func Short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// maxPrinted is the greatest number of characters that are shown of a text. In a longer text the
// middle is left out.
const maxPrinted = 1000

// Printable makes a text that may come from a file safe to show in a terminal, a title, the picture
// or a log. It returns one line, in which escapes, line breaks, marks that change the direction of
// writing, and other invisible characters are replaced by escape sequences such as \n.
func Printable(s string) string {
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

func Complain(w io.Writer, err error) { fmt.Fprintf(w, "viewer: %s\n", Printable(err.Error())) }

func OnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// Quoted returns a name in quotes. It shortens a long name.
func Quoted(name string) string {
	const most = 40
	if r := []rune(name); len(r) > most {
		name = string(r[:most-1]) + "…"
	}
	return strconv.Quote(name)
}
