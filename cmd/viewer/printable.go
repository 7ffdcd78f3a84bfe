package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

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
