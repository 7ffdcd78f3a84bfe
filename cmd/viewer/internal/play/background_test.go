package play

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestAFileThatCannotBeSavedIsNamedAndSoIsTheReason(t *testing.T) {
	err := &fs.PathError{Op: "open", Path: "a/b.json", Err: errors.New("no room")}
	if got := NotSaved(fmt.Errorf("scene: %w", err)); got != "could not save a/b.json: no room" {
		t.Errorf("%q", got)
	}
	if got := NotSaved(errors.New("there are already 999 scenes")); got != "could not save: there are already 999 scenes" {
		t.Errorf("%q", got)
	}
}
