package rube

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// kindOf returns the word for the kind of a value, for a message.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// number reads a JSON number, or a string of eight hexadecimal digits, the bits of a
// float32 with the most significant first. The format has only float32, so a number
// that is out of its range is an error.
func number(raw json.RawMessage) (float64, error) {
	switch k := kindOf(raw); k {
	case "a number":
		v, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || math.Abs(v) > math.MaxFloat32 {
			return 0, fmt.Errorf("%s is too large for a float32", clip(string(raw)))
		}
		return v, nil
	case "a string":
		s, err := text(raw)
		if err != nil {
			return 0, err
		}
		return hexFloat(s)
	default:
		return 0, fmt.Errorf("%s where a number should be", k)
	}
}

func hexFloat(s string) (float64, error) {
	bits, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return 0, fmt.Errorf("%s is not a float32 in eight hexadecimal digits", quote(s))
	}
	v := float64(math.Float32frombits(uint32(bits)))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is the float32 %v", quote(s), v)
	}
	return v, nil
}

func appendNumber(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }

// wholes is the kind of the whole numbers from low to high.
func wholes[T integers](low, high int) kind[T] {
	read := func(raw json.RawMessage) (T, error) {
		v, err := number(raw)
		if err == nil && (v != math.Trunc(v) || v < float64(low) || v > float64(high)) {
			err = fmt.Errorf("%v is not a whole number from %d to %d", v, low, high)
		}
		return T(v), err
	}
	return kind[T]{"int", read, func(b []byte, n T) []byte { return strconv.AppendInt(b, int64(n), 10) }}
}

// inText is the kind of values for which the format has no type. They are written as
// JSON in a string.
func inText[T any]() kind[T] {
	read := func(raw json.RawMessage) (v T, err error) {
		s, err := text(raw)
		if err == nil && json.Unmarshal([]byte(s), &v) != nil {
			err = fmt.Errorf("%s is not a value of this property", quote(s))
		}
		return v, err
	}
	return kind[T]{"string", read, func(b []byte, v T) []byte {
		said, _ := json.Marshal(v) // values without pointers have no error
		return appendText(b, string(said))
	}}
}

// truth reads a boolean. A number can stand for it: 0 is false, and all others are
// true.
func truth(raw json.RawMessage) (bool, error) {
	switch k := kindOf(raw); k {
	case "a boolean":
		return raw[0] == 't', nil
	case "a number":
		v, err := number(raw)
		return v != 0, err
	default:
		return false, fmt.Errorf("%s where true or false should be", k)
	}
}

func text(raw json.RawMessage) (string, error) { return decode[string](raw, "a string") }

func appendText(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string has no error
	return append(b, quoted...)
}

func list(raw json.RawMessage) ([]json.RawMessage, error) {
	return decode[[]json.RawMessage](raw, "a list")
}

// decode reads a value that must be of a kind, as kindOf names it.
func decode[T any](raw json.RawMessage, kind string) (v T, err error) {
	if k := kindOf(raw); k != kind {
		return v, fmt.Errorf("%s where %s should be", k, kind)
	}
	err = json.Unmarshal(raw, &v)
	return v, err
}

func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "body":
		return strconv.Itoa(n) + " bodies"
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// quote and clip shorten a message to one line, whatever the file contains.
func quote(s string) string { return strconv.Quote(clip(s)) }

func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
