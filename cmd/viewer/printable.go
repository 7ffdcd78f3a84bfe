package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostPrinted is how many characters of a text are shown, from its beginning
// and its end; no message of ours is as long.
const mostPrinted = 1000

// printable makes a text of which parts may come from a file fit for a
// terminal, a title, the picture or a log: one line, in which what is not to be
// seen, as escapes, line breaks and marks that turn the direction of writing,
// stands in figures.
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
	if b.Len() > mostPrinted {
		if r := []rune(b.String()); len(r) > mostPrinted {
			return string(r[:mostPrinted/2]) + "…" + string(r[len(r)-mostPrinted/2:])
		}
	}
	return b.String()
}
