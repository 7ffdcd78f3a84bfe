package ui

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAButtonCountsAClickThatBeginsAndEndsOnIt(t *testing.T) {
	clicks := map[string]int{}
	d := newDesk(t, func(c *Context) {
		for i, name := range []string{"a", "b"} {
			if c.Button(name, Rect{10, float32(10 + 30*i), 80, 20}, NoIcon, name, false) {
				clicks[name]++
			}
		}
	})
	d.click(d.on("a"))
	if clicks["a"] != 1 || clicks["b"] != 0 {
		t.Errorf("a click between two frames: %v", clicks)
	}
	ax, ay := d.on("a")
	bx, by := d.on("b")
	d.at(ax, ay)
	d.Feed(Event{Kind: Press})
	d.at(bx, by)
	d.Feed(Event{Kind: Release})
	d.frame()
	if clicks["a"] != 1 || clicks["b"] != 0 {
		t.Errorf("a press on a that ends on b: %v", clicks)
	}
	d.click(300, 200)
	for range 3 { // several clicks between two frames
		d.at(bx, by)
		d.Feed(Event{Kind: Press})
		d.Feed(Event{Kind: Release})
	}
	d.frame()
	if clicks["b"] != 3 {
		t.Errorf("three clicks: %v", clicks)
	}
}

func TestAButtonThatDoesNothingNowHasNoRedIcon(t *testing.T) {
	icon := func(lay func(*Context)) Colour {
		shapes := newDesk(t, lay).Shapes()
		return shapes[len(shapes)-1].Colour
	}
	r := Rect{10, 10, 80, 20}
	if col := icon(func(c *Context) { c.FaintButton("a", r, Record, "") }); col != Faint {
		t.Errorf("a faint one is drawn in %v", col)
	}
	if col := icon(func(c *Context) { c.Button("a", r, Record, "", false) }); col != Bad {
		t.Errorf("one that records is drawn in %v", col)
	}
}

// slide returns a desk with a slider from 0 to 10.
func slide(t *testing.T, g Range) (d *desk, x *float64, done *int) {
	x, done = new(float64), new(int)
	*x = g.Default
	d = newDesk(t, func(c *Context) {
		v, changed, over := c.Slider("s", Rect{0, 0, 210, SliderHeight}, "speed", "", *x, &g)
		if changed {
			*x = v
		}
		if over {
			*done++
		}
	})
	return d, x, done
}

func TestASliderFollowsTheCursorWhileItIsHeld(t *testing.T) {
	d, x, done := slide(t, Range{Max: 10, Default: 2, Step: .5})
	const y = SliderHeight - 10
	d.at(5+200*.2, y) // on the knob
	d.Feed(Event{Kind: Press})
	d.frame()
	if *x != 2 {
		t.Errorf("a press on the knob moved it to %v", *x)
	}
	d.at(5+200*.7, y+100) // the cursor may leave the slider
	d.frame()
	if *x != 7 || *done != 0 {
		t.Errorf("dragged to %v, done %d", *x, *done)
	}
	d.at(1000, y)
	d.frame()
	if *x != 10 {
		t.Errorf("beyond the end: %v", *x)
	}
	d.Feed(Event{Kind: Release})
	d.frame()
	d.at(5, y)
	d.frame()
	if *x != 10 || *done != 1 {
		t.Errorf("after it was let go: %v, done %d", *x, *done)
	}
}

func TestASliderComesToAClickAndGoesByStepsWithTheWheel(t *testing.T) {
	d, x, _ := slide(t, Range{Max: 10, Default: 2, Step: .5})
	const y = SliderHeight - 10
	d.click(5+200*.5, y)
	if *x != 5 {
		t.Errorf("a click in the middle: %v", *x)
	}
	d.Feed(Event{Kind: Wheel, Y: -2})
	d.frame()
	if *x != 4 {
		t.Errorf("two clicks of the wheel: %v", *x)
	}
}

func TestATypedNumberOfThingsIsWhole(t *testing.T) {
	d, x, _ := slide(t, Range{Max: 10, Default: 2, Step: 1})
	d.click(200, 5)
	d.click(200, 5)
	d.write("7.6")
	d.key(Enter)
	if *x != 8 {
		t.Errorf("typed 7.6: %v", *x)
	}
}

func TestADoubleClickResetsASliderOrLetsTheUserType(t *testing.T) {
	d, x, _ := slide(t, Range{Max: 10, Default: 2, Step: .5})
	const y = SliderHeight - 10
	d.click(5+200*.5, y)
	d.rest(time.Second)
	d.click(5+200*.9, y)
	d.click(5+200*.9, y)
	if *x != 2 {
		t.Errorf("after a double click on the track: %v", *x)
	}
	d.rest(time.Second)
	d.click(200, 5)
	d.click(200, 5)
	if *x != 2 || !d.Typing() {
		t.Fatalf("after a double click on the value: %v, typing %v", *x, d.Typing())
	}
	d.write("7.6x")
	d.key(Enter)
	if *x != 7.6 || d.Typing() { // this is between two steps of a drag
		t.Errorf("typed 7.6: %v", *x)
	}
	for _, text := range []string{"99", "-4", "e", ""} {
		d.rest(time.Second)
		d.click(200, 5)
		d.click(200, 5)
		d.write(text)
		d.key(Enter)
		if *x < 0 || *x > 10 {
			t.Errorf("typed %q: %v", text, *x)
		}
	}
	d.rest(time.Second)
	was := *x
	d.click(200, 5)
	d.click(200, 5)
	d.write("3")
	d.key(Escape)
	if *x != was || d.Typing() {
		t.Errorf("Escape kept what was typed: %v", *x)
	}
}

func TestALogarithmicSliderIsAsFarFromHalfToOneAsFromOneToTwo(t *testing.T) {
	g := Range{Min: .25, Max: 4, Default: 1, Log: true}
	for part, want := range map[float64]float64{0: .25, .25: .5, .5: 1, .75: 2, 1: 4} {
		if got := g.at(part); got != want {
			t.Errorf("at %v: %v", part, got)
		}
		if got := g.part(want); got < part-1e-9 || got > part+1e-9 {
			t.Errorf("%v is at %v", want, got)
		}
	}
}

func TestAChoiceGoesRoundBothWays(t *testing.T) {
	at := 0
	d := newDesk(t, func(c *Context) {
		at, _ = c.Choice("c", Rect{0, 0, 200, RowHeight}, "mode", "M", []string{"one", "two", "three"}, at)
	})
	d.click(190, 10)
	if at != 1 {
		t.Errorf("after a click: %d", at)
	}
	d.click(95, 10)
	d.click(95, 10)
	if at != 2 {
		t.Errorf("after two clicks on the left end: %d", at)
	}
}

func TestAFieldTakesCharactersOnlyWhileItHasTheFocus(t *testing.T) {
	text, entered := "", 0
	d := newDesk(t, func(c *Context) {
		now, e := c.Field("f", Rect{10, 10, 100, 20}, "search", "/", text)
		text = now
		if e {
			entered++
		}
	})
	d.write("lost")
	d.click(d.on("f"))
	d.write("käse")
	d.key(Backspace)
	d.key(Enter)
	if text != "käs" || entered != 1 {
		t.Errorf("%q, entered %d times", text, entered)
	}
	d.write(strings.Repeat("x", 500))
	if len(text) > longest {
		t.Errorf("%d bytes", len(text))
	}
	d.key(Escape)
	if text != "" || !d.Typing() {
		t.Errorf("the first Escape left %q, typing %v", text, d.Typing())
	}
	d.key(Escape)
	if d.Typing() {
		t.Error("the second Escape did not leave it")
	}
	d.click(d.on("f"))
	d.click(300, 200)
	d.write("lost")
	if text != "" || d.Typing() {
		t.Errorf("a click elsewhere left it the focus: %q", text)
	}
}

func TestWhatIsScrolledOutOfSightIsNeitherDrawnNorUsed(t *testing.T) {
	var s Scroll
	clicked := map[int]bool{}
	d := newDesk(t, func(c *Context) {
		c.BeginScroll(&s, Rect{0, 0, 100, 100})
		for i := range 20 {
			if c.Item(string(rune('a'+i)), c.Next(20), "row", false) {
				clicked[i] = true
			}
		}
		c.EndScroll()
	})
	if d.has("f") || !d.has("e") {
		t.Error("five rows should be in sight")
	}
	shapes := len(d.Shapes())
	if shapes > 10 {
		t.Errorf("%d shapes for five rows and a bar", shapes)
	}
	d.at(50, 50)
	d.Feed(Event{Kind: Wheel, Y: -100})
	d.frame()
	d.frame() // the control is drawn in the next frame
	if !d.has("t") || d.has("o") {
		t.Error("the wheel did not go to the end")
	}
	d.click(50, 90)
	if len(clicked) != 1 || !clicked[19] {
		t.Errorf("clicked %v", clicked)
	}
}

func TestARowThatIsHalfScrolledIsDrawnAndUsedAsFarAsItIsInSight(t *testing.T) {
	var s Scroll
	clicked := 0
	d := newDesk(t, func(c *Context) {
		c.BeginScroll(&s, Rect{0, 20, 100, 50})
		for _, name := range []string{"b0", "b1", "b2"} {
			if c.Button(name, c.Next(20), NoIcon, "row", false) {
				clicked++
			}
		}
		c.EndScroll()
	})
	s.offset = 10
	d.frame()
	half, ok := d.Find("b0")
	if !ok || half != (Rect{0, 20, 92, 10}) {
		t.Fatalf("the first row is at %v", half)
	}
	for i := range d.Shapes() {
		if s := &d.Shapes()[i]; s.X < 92 && (s.Top != 20 || s.Bottom != 70) {
			t.Errorf("%+v is not cut off", *s)
		}
	}
	if d.click(50, 15); clicked != 0 {
		t.Error("a click above it hits it")
	}
	if d.click(50, 25); clicked != 1 {
		t.Error("a click on what is in sight does not")
	}
}

func TestTheWheelOverASliderScrollsThePageUntilTheSliderIsPressed(t *testing.T) {
	var s Scroll
	x := 5.0
	g := Range{Max: 10, Step: 1}
	d := newDesk(t, func(c *Context) {
		c.BeginScroll(&s, Rect{0, 0, 200, 60})
		x, _, _ = c.Slider("s", c.Next(SliderHeight), "n", "", x, &g)
		c.Space(200)
		c.EndScroll()
	})
	turn := func(by float32) {
		d.Feed(Event{Kind: Wheel, Y: by})
		d.frame()
		d.frame() // a scroll is drawn in the next frame
	}
	d.at(100, SliderHeight-10)
	if turn(-1); x != 5 || s.offset == 0 {
		t.Errorf("not pressed: value %v, offset %v", x, s.offset)
	}
	turn(100)
	d.click(5+(200-barWide-10)*.5, SliderHeight-10)
	if turn(-1); x != 4 || s.offset != 0 {
		t.Errorf("pressed: value %v, offset %v", x, s.offset)
	}
	d.at(100, SliderHeight+10)
	if turn(-1); x != 4 || s.offset == 0 {
		t.Errorf("beside it: value %v, offset %v", x, s.offset)
	}
}

func TestATurnOfTheWheelIsOneUse(t *testing.T) {
	d, x, done := slide(t, Range{Max: 10, Default: 2, Step: .5})
	d.click(5+200*.5, SliderHeight-10)
	*done = 0
	for range 4 {
		d.Feed(Event{Kind: Wheel, Y: -1})
		if d.frame(); !d.Held("s") {
			t.Fatal("it is let go between two clicks of the wheel")
		}
	}
	if *x != 3 || *done != 0 {
		t.Errorf("four clicks of the wheel: %v, done %d", *x, *done)
	}
	d.rest(turnTime)
	if d.frame(); *done != 1 || d.Held("s") {
		t.Errorf("after a while: done %d, held %v", *done, d.Held("s"))
	}
}

func TestAPressOnTheKnobWithoutMotionLeavesTheValue(t *testing.T) {
	d, x, done := slide(t, Range{Max: 10, Default: 2, Step: .5})
	*x = 5.123 // a value that was typed, or that comes from the world
	d.frame()
	d.click(5+200*.512, SliderHeight-10)
	if *x != 5.123 || *done != 1 {
		t.Errorf("%v, done %d", *x, *done)
	}
}

func TestABarOfAScrollCanBeDragged(t *testing.T) {
	var s Scroll
	used := false
	d := newDesk(t, func(c *Context) {
		c.BeginScroll(&s, Rect{0, 0, 100, 100})
		for i := range 20 {
			used = c.Item(string(rune('a'+i)), c.Next(20), "row", false) || used
		}
		c.EndScroll()
	})
	d.frame()
	d.at(97, 5)
	d.Feed(Event{Kind: Press})
	d.frame()
	if s.offset != 0 {
		t.Errorf("a press on the knob scrolls to %v", s.offset)
	}
	d.at(40, 5+37.5) // half of the possible distance, beside the bar
	if d.frame(); s.offset != 150 {
		t.Errorf("half way down: %v", s.offset)
	}
	d.at(40, 300)
	d.Feed(Event{Kind: Release})
	if d.frame(); s.offset != 300 || used {
		t.Errorf("at the end: %v, a row is used: %v", s.offset, used)
	}
	d.at(40, 5)
	if d.frame(); s.offset != 300 {
		t.Errorf("let go: %v", s.offset)
	}
	d.click(97, 50)
	if d.frame(); s.offset != 150 {
		t.Errorf("a press in the middle: %v", s.offset)
	}
}

func TestATipComesAfterAWhileWithTheKey(t *testing.T) {
	d := newDesk(t, func(c *Context) {
		c.Button("b", Rect{10, 10, 80, 20}, NoIcon, "b", false)
		c.Tip("does something", "F7")
	})
	said := func() string {
		var all []string
		for i := range d.Shapes() {
			if s := &d.Shapes()[i]; s.Kind == Label {
				all = append(all, d.Text(s))
			}
		}
		return strings.Join(all, "|")
	}
	d.at(20, 15)
	d.frame()
	if strings.Contains(said(), "something") {
		t.Error("the tip comes at once")
	}
	d.rest(time.Second)
	d.frame()
	if got := said(); !strings.Contains(got, "does something") || !strings.Contains(got, "F7") {
		t.Errorf("said %q", got)
	}
	for i := range d.Shapes() {
		if s := &d.Shapes()[i]; s.Kind == Box && (s.X < 0 || s.Y < 0 || s.X+s.W > 400 || s.Y+s.H > 300) {
			t.Errorf("%+v is not on the screen", *s)
		}
	}
}

// tip reports whether the tip "does something" is shown.
func (d *desk) tip() bool {
	return slices.ContainsFunc(d.Shapes(), func(s Shape) bool { return s.Kind == Label && d.Text(&s) == "does something" })
}

func TestAControlThatComesUnderAPointerThatRestsHasNoTip(t *testing.T) {
	y := float32(100)
	d := newDesk(t, func(c *Context) {
		c.Button("b", Rect{10, y, 80, 20}, NoIcon, "b", false)
		c.Tip("does something", "")
	})
	d.at(20, 15)
	d.frame()
	y = 10 // the control moves to the pointer
	d.frame()
	d.rest(time.Second)
	if d.frame(); d.tip() {
		t.Error("there is a tip though the pointer has not moved")
	}
	d.at(21, 15)
	d.frame()
	d.rest(time.Second)
	if d.frame(); !d.tip() {
		t.Error("there is no tip once the pointer has moved")
	}
}

func TestARowOutOfSightDoesNotDescribeTheOneBesideIt(t *testing.T) {
	var list Scroll
	d := newDesk(t, func(c *Context) {
		c.Button("above", Rect{10, 10, 80, 20}, NoIcon, "above", false)
		c.BeginScroll(&list, Rect{10, 40, 80, 60})
		for _, name := range []string{"first", "second", "third", "last"} {
			c.Item(name, c.Next(20), name, false)
			c.Tip("about "+name, "")
		}
		c.EndScroll()
	})
	said := func(x, y float32) (all []string) {
		d.at(x, y)
		d.frame()
		d.rest(time.Second)
		d.frame()
		for i := range d.Shapes() {
			if s := &d.Shapes()[i]; s.Kind == Label && strings.HasPrefix(d.Text(s), "about") {
				all = append(all, d.Text(s))
			}
		}
		return all
	}
	if got := said(20, 90); len(got) != 1 || got[0] != "about third" {
		t.Errorf("the last row in sight is described by %q", got)
	}
	d.Feed(Event{Kind: Wheel, Y: -1}) // the first row leaves the view
	d.frame()
	if got := said(20, 15); len(got) != 0 {
		t.Errorf("the button above the list is described by %q", got)
	}
}

func TestTextThatDoesNotFitEndsInAnEllipsisWithinItsPlace(t *testing.T) {
	d := newDesk(t, func(c *Context) {
		c.Print(Rect{0, 0, 70, 20}, Plain, Start, Ink, "a rather long text, äöü")
		c.Print(Rect{0, 20, 70, 20}, Plain, Start, Ink, "short")
	})
	for i, want := range []string{"a rathe…", "short"} {
		s := &d.Shapes()[i]
		got := d.Text(s)
		if got != want || d.measure(Plain, d.Text(s)) > 70 {
			t.Errorf("%q", got)
		}
	}
}

func TestAFrameAllocatesNothing(t *testing.T) {
	var s Scroll
	g := Range{Max: 10, Step: .5, Unit: "m/s"}
	options := []string{"one", "two"}
	c := New(func(_ Face, s string) float32 { return 7 * float32(len(s)) })
	now := time.Unix(1000, 0)
	frame := func() {
		c.Feed(Event{Kind: Move, X: 20, Y: 20})
		c.Begin(400, 300, now)
		c.BeginScroll(&s, Rect{0, 0, 200, 300})
		c.Heading(c.Next(20), "Heading")
		c.Button("b", c.Next(20), Play, "go", true)
		c.Tip("goes", "G")
		c.Toggle("t", c.Next(20), "switch", "T", true)
		c.Choice("c", c.Next(20), "mode", "M", options, 1)
		c.Slider("s", c.Next(SliderHeight), "speed", ", .", 3.5, &g)
		c.Field("f", c.Next(20), "hint", "/", "text")
		for _, line := range c.Wrap("a text that is longer than a line of the page", 150, 3) {
			c.Say(c.Next(16), Start, Ink, line)
		}
		c.Pair(c.Next(16), "name", "")
		c.EndScroll()
		c.End()
	}
	for range 10 {
		frame()
	}
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// The tip would hide the effect of the click.
func TestATipGoesWithAClickUntilThePointerMoves(t *testing.T) {
	d := newDesk(t, func(c *Context) {
		c.Button("b", Rect{10, 10, 80, 20}, NoIcon, "b", false)
		c.Tip("does something", "")
	})
	d.at(20, 15)
	d.frame()
	d.rest(time.Second)
	if d.frame(); !d.tip() {
		t.Fatal("there is no tip")
	}
	d.Feed(Event{Kind: Press})
	d.frame()
	d.Feed(Event{Kind: Release})
	d.frame()
	d.rest(time.Second)
	if d.frame(); d.tip() {
		t.Error("there is a tip after the click")
	}
	d.at(21, 15)
	d.frame()
	d.rest(time.Second)
	if d.frame(); !d.tip() {
		t.Error("there is no tip once the pointer has moved")
	}
}

func TestASmallValueOfALogarithmicSliderIsShownAsItIs(t *testing.T) {
	scale, step := Range{Min: .01, Max: 4, Log: true}, Range{Max: 2, Step: .05}
	for _, c := range []struct {
		x    float64
		g    *Range
		want string
	}{{.065, &scale, "0.065"}, {.01, &scale, "0.010"}, {.1, &scale, "0.10"}, {1.5, &scale, "1.50"}, {.05, &step, "0.05"}} {
		if got := string(appendValue(nil, c.x, c.g)); got != c.want {
			t.Errorf("%v is shown as %q, not %q", c.x, got, c.want)
		}
	}
}

func TestALineIsBrokenAtSpacesAndALongWordWithinAndNothingIsAllocated(t *testing.T) {
	runes := func(s string) float32 { return float32(len([]rune(s))) }
	for _, c := range []struct {
		text string
		wide float32
		most int
		want string
	}{
		{"short", 10, 0, "short"},
		{"", 10, 0, ""},
		{"one two three", 7, 0, "one two|three"},
		{"one  two three", 8, 0, "one  two|three"},
		{"abcdefghij", 4, 0, "abcd|efgh|ij"},
		{"an abcdefghij", 4, 0, "an|abcd|efgh|ij"},
		{"äöüäöü", 4, 0, "äöüä|öü"},
		{"one two three four", 3, 2, "one|two three four"},
		{"äöü", .5, 0, "ä|ö|ü"},
	} {
		if got := strings.Join(Wrap(nil, c.text, c.wide, c.most, runes), "|"); got != c.want {
			t.Errorf("%q in %v: %q", c.text, c.wide, got)
		}
	}
	var lines []string
	wide := float32(12)
	if n := testing.AllocsPerRun(100, func() {
		lines = Wrap(lines[:0], "a line that is too long for a narrow window", wide, 0, func(s string) float32 { return float32(len(s)) * wide / 12 })
	}); n != 0 || len(lines) < 4 {
		t.Errorf("%v allocations, %q", n, lines)
	}
}

func TestSelectAllInAFieldIsReplacedByWhatIsTyped(t *testing.T) {
	text := "old"
	d := newDesk(t, func(c *Context) { text, _ = c.Field("f", Rect{10, 10, 100, 20}, "", "", text) })
	d.click(20, 20)
	d.key(SelectAll)
	if d.write("new"); text != "new" {
		t.Errorf("typed: %q", text)
	}
	d.key(SelectAll)
	if d.key(Backspace); text != "" {
		t.Errorf("deleted: %q", text)
	}
	d.write("ab")
	d.key(SelectAll)
	d.click(20, 20)
	if d.write("c"); text != "abc" {
		t.Errorf("after a click: %q", text)
	}
}

func TestAListShowsAllItsOptionsUntilOneIsChosen(t *testing.T) {
	var s Scroll
	options, at, changes := []string{"a", "b", "c"}, 0, 0
	d := newDesk(t, func(c *Context) {
		c.BeginScroll(&s, Rect{0, 0, 200, 200})
		i, changed := c.List("l", "kind", "", options, at, func(o string) string { return "is " + o })
		if at = i; changed {
			changes++
		}
		c.EndScroll()
	})
	if d.has("l/b") {
		t.Error("it is open at first")
	}
	d.click(d.on("l"))
	d.frame()
	d.click(d.on("l/c"))
	if d.frame(); at != 2 || changes != 1 || d.has("l/c") {
		t.Errorf("chosen %d, %d changes, open %v", at, changes, d.has("l/c"))
	}
	d.click(d.on("l"))
	d.frame()
	d.click(d.on("l"))
	if d.frame(); d.has("l/c") || changes != 1 {
		t.Errorf("a click on its title does not close it")
	}
}
