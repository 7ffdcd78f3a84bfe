package words

import (
	"strings"
	"testing"
)

func TestPrintableTextIsOneLineWithoutEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, größe 💡":        "plain text, größe 💡",
		"a\nb\tc\r":                  `a\nb\tc\r`,
		"\x1b]0;title\a":             `\x1b]0;title\a`,
		"\u009b31m":                  `\u009b31m`,
		"\u202etxt.exe":              `\u202etxt.exe`,
		"\xff\xfe":                   `\xff\xfe`,
		`C:\dir "quoted" it's`:       `C:\dir "quoted" it's`,
		"\uFFFD":                     "\uFFFD",
		strings.Repeat("ä", 100_000): strings.Repeat("ä", maxPrinted/2) + "…" + strings.Repeat("ä", maxPrinted/2),
	} {
		if got := Printable(in); got != want {
			t.Errorf("%.40q: %.80q, want %.80q", in, got, want)
		}
	}
}
