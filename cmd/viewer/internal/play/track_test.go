package play

import (
	"strconv"
	"strings"
	"testing"

	"halfstep/world"
)

func TestAnUnknownBodyIsAnErrorThatNamesTheOthers(t *testing.T) {
	b := newBench(t, "-scene drift -track nobody")
	err := b.Advance(true, 0)
	if err == nil || !strings.Contains(err.Error(), `no body "nobody"; there are "drift"`) {
		t.Error(err)
	}
	for _, name := range []string{"#-1", "#1", "#99999999999999999999", "#", "#x"} {
		if _, ok := findBody(b.Stage.Player, name); ok {
			t.Errorf("found %s", name)
		}
	}
}

func TestLongListsOfNamesAreCut(t *testing.T) {
	b := newBench(t, "-scene drift")
	for i := range 40 {
		b.Stage.Player.CreateBody(world.BodyDef{Name: "n" + strconv.Itoa(i)})
	}
	b.run(3)
	if s := bodyNames(b.Stage.View); !strings.HasSuffix(s, "and 29 more") || strings.Contains(s, "\n") {
		t.Error(s)
	}
}
