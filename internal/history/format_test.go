package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestARecordingOfAnotherFormatIsRefusedInOneLine(t *testing.T) {
	data := small(t).bytes(t)
	for _, other := range []string{"halfstep recording\n", "halfstep recording 0\n", "halfstep recording 2\n", "halfstep recording 13\n"} {
		_, err := read(strings.NewReader(other + string(data[len(Magic):])))
		if fmt.Sprint(err) != "the recording has another format than this build reads" {
			t.Errorf("%q: %v", other, err)
		}
	}
	if _, err := read(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
}
