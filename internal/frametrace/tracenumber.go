package frametrace

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// numbers reads the numbers of a column. The numbers may have decimal commas, and marks
// between thousands. It remembers the decimal mark of earlier numbers, because 1,234
// alone is ambiguous.
type numbers struct{ point byte }

// number reads a number. The result is NaN if s is not a number.
func (m *numbers) number(s string) float64 {
	if len(s) == 0 || len(s) > 40 || s[0] >= 'A' { // NA
		return math.NaN()
	}
	last := strings.LastIndexAny(s, ".,")
	alone := last >= 0 && strings.IndexAny(s, ".,") == last
	if !alone || s[last] == '.' && m.point != ',' {
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			if alone {
				m.point = '.'
			}
			return x
		}
	}
	x, err := strconv.ParseFloat(m.plain(s), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// plain returns the number with a decimal point and without marks between thousands. If
// s is not a number it returns "".
func (m *numbers) plain(s string) string {
	whole, decimals, point := s, "", byte(0)
	if i := strings.LastIndexAny(s, ".,"); i >= 0 && strings.Count(s, s[i:i+1]) == 1 {
		alone := strings.IndexAny(s, ".,") == i
		if !alone || m.point == 0 || m.point == s[i] || len(s)-i-1 != 3 {
			whole, decimals, point = s[:i], s[i+1:], s[i]
		}
	}
	if i := strings.IndexAny(whole, ".,' \u00a0\u202f"); i >= 0 {
		mark, _ := utf8.DecodeRuneInString(whole[i:])
		groups := strings.Split(whole, string(mark))
		for n, g := range groups {
			if n > 0 && len(g) != 3 || len(g) > 3 {
				return ""
			}
		}
		whole = strings.Join(groups, "")
	}
	if point != 0 {
		m.point = point
	}
	return whole + "." + decimals
}
