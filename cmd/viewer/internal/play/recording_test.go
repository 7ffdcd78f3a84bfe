package play

import (
	"fmt"
	"testing"

	"halfstep/engine"
)

func TestAKeyBeginsAndEndsRecordings(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene rain")
	b.run(50)
	for i := 1; i <= 2; i++ {
		b.do("record")
		b.run(30)
		b.do("record")
		b.run(3)
		<-b.Recorder.Recording.Ended
	}
	b.Close()
	for i := 1; i <= 2; i++ {
		path := fmt.Sprintf("halfstep-%03d.rec", i)
		if err := replays(path); err != nil {
			t.Error(err)
		}
		if r, err := engine.OpenRecording(path); err != nil || r.First < 45 || r.Ticks < r.First+25 || r.Cut {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
}
