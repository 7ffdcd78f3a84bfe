package files

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"halfstep/engine"
)

func TestNamesAreQuotedAsCSVWantsIt(t *testing.T) {
	names := []string{"plain", "a,b", `say "x"`, "two\nlines", ""}
	var b []byte
	for i, n := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendField(b, n)
	}
	got, err := csv.NewReader(strings.NewReader(string(b))).Read()
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestALogThatCanNotBeWrittenFails(t *testing.T) {
	if _, err := NewFrameLog(filepath.Join(t.TempDir(), "no", "o.csv"), false); err == nil {
		t.Error("no error for a missing folder")
	}
	full, err := NewFrameLog("/dev/full", false)
	if err != nil {
		t.Skip("no /dev/full")
	}
	full.Write(LogRow{}, "b", engine.Pose{})
	if err := full.Close(); err == nil {
		t.Error("no error for a full disk")
	}
}

func TestRowsDoNotWaitForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o.csv")
	l, err := NewFrameLog(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for frame := range uint64(maxWaiting + 10) {
		l.Write(LogRow{Frame: frame}, "b", engine.Pose{})
	}
	if n := l.Waiting(); n > maxWaiting {
		t.Errorf("%d rows wait", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte(",nan\n")); n != maxWaiting+10 {
		t.Errorf("%d rows", n)
	}
}
