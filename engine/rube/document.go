package rube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// document reads a whole file as an object. The error for wrong syntax has the
// line and the column, both counted from 1.
func document(data []byte) (*object, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = blankComments(data)
	text := bytes.TrimSpace(data)
	if len(text) == 0 {
		return nil, errors.New("empty")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		var se *json.SyntaxError
		if !errors.As(err, &se) {
			return nil, err
		}
		if text[0] != '{' {
			return nil, errors.New("neither JSON, as R.U.B.E. and b2dJson export it, nor what b2World::Dump writes")
		}
		line, column := position(data, int(se.Offset))
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	o := newObject(raw)
	return o, o.err
}

// position returns the line and column of the n-th byte, all counted from 1.
// At the end of the input it returns those of the last byte.
func position(data []byte, n int) (line, column int) {
	before := data[:max(0, min(n, len(data))-1)]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
}

// blankComments replaces // and /* */ comments in data by blanks, so that the
// rest keeps its lines and columns. Without comments it returns data itself.
func blankComments(data []byte) []byte {
	out := data
	quoted := false
	for i := 0; i+1 < len(data); i++ {
		switch {
		case quoted && data[i] == '\\':
			i++
		case data[i] == '"':
			quoted = !quoted
		case !quoted && data[i] == '/' && (data[i+1] == '/' || data[i+1] == '*'):
			n := commentLen(data[i:])
			if &out[0] == &data[0] {
				out = bytes.Clone(data)
			}
			for j := i; j < i+n; j++ {
				if data[j] != '\n' {
					out[j] = ' '
				}
			}
			i += n - 1
		}
	}
	return out
}

// commentLen is the length of the comment with which b begins. A comment that
// does not end has the length of b.
func commentLen(b []byte) int {
	end, skip := []byte("\n"), 0
	if b[1] == '*' {
		end, skip = []byte("*/"), 2
	}
	if n := bytes.Index(b[2:], end); n >= 0 {
		return 2 + n + skip
	}
	return len(b)
}
