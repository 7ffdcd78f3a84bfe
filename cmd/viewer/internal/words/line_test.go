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

func TestBodiesThatAreFarApartAreSaidToBeSo(t *testing.T) {
	for m, want := range map[float64]string{.0123: "12.3 mm", 16.19: "16.19 m", 99: "99.00 m", 5000: "more than 100 m"} {
		if got := string(Line(nil).Apart(m)); got != want {
			t.Errorf("%v m reads %q, not %q", m, got, want)
		}
	}
}
