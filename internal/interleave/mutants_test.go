package interleave_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var run = flag.String("mutants", "", "run the tests with these mutants, with spaces between them; \"all\" are all")

const root = "../.."

// mutants break the order of operations in the exchange between threads and in the
// pools of workers, one place at a time. Mutants with -race access plain memory out
// of order, which only the race detector detects.
var mutants = []struct {
	name, what  string
	file, tests string
	edits       []string // edits are parts of the file and their replacements, in turn.
}{
	{"quit-after-posted", "Demand.Next reads quit after the number of frames", "buffer/demand.go", "./physicsloop", []string{
		`quit = d.quit.Load()
	return d.frames.Peek(d.posted.Load()), quit`, `f = d.frames.Peek(d.posted.Load())
	return f, d.quit.Load()`,
	}},
	{"quit-after-limit", "the physics loop reads Quitting after the limit", "physicsloop/loop.go", "./physicsloop", []string{
		"quit := demand.Quitting()", "",
		"if quit {", "if demand.Quitting() {",
	}},
	{"stopped-last", "Link.Await reads stopped after the progress", "buffer/link.go", "./buffer", []string{
		`stopped := l.stopped.Load()
		switch {`, "switch {",
		"case stopped ||", "case l.stopped.Load() ||",
	}},
	{"peek-twice", "Log.Peek follows the link again at its second look at the end of a chunk", "buffer/log.go", "./buffer", []string{
		"if i == 0 && l.taken > 0 && l.left.Load() != l.taken {", "if i == 0 && l.taken > 0 {",
	}},
	{"acquire-after-post", "a Pipelined frame demands before it takes the pair", "renderloop/pipelined.go", "./renderloop", []string{
		`l.view.Fresh = l.acquireUpTo(l.wanted())
	l.post(after)`, `wanted := l.wanted()
	l.post(after)
	l.view.Fresh = l.acquireUpTo(wanted)`,
	}},
	{"serial-after-publish", "the exchange publishes before the last write to the slot", "buffer/exchange.go", "-race ./buffer", []string{
		"w.serial, s.Serial = serial, serial", "w.serial = serial",
		"w.word, w.kept, w.staging = word, bitsOf(word), 0", `s := &e.slot[w.next]
	s.Serial = w.serial
	w.word, w.kept, w.staging = word, bitsOf(word), 0`,
	}},
	{"update-of-the-changed", "a slot gets what changes in this state and not what has changed since its own", "buffer/exchange.go", "./buffer", []string{
		`s.Changes.of.Blocks(held, func(first int, changed uint64) {
		for ; changed != 0; changed &= changed - 1 {
			i := first + bits.TrailingZeros64(changed)
			write(i, &s.States[i])
		}
	})`, `for _, i := range changed {
		write(int(i), &s.States[i])
	}
	_ = held`,
	}},
	{"stamps-shared", "the slots share the writer's stamps", "internal/stamps/stamps.go", "-race ./buffer", []string{
		"s.size(len(of.each))\n	for", "s.each, s.blocks, s.tops = of.each, of.blocks, of.tops\n	for",
	}},
	{"stamps-of-the-published", "the stamps of a slot are not brought up to date", "internal/stamps/stamps.go", "./buffer", []string{
		"if anew || newest > last {", "if anew || newest > last && last == 0 {",
	}},
	{"put-load-store", "the writer fills the mailbox by a load and a store", "buffer/exchange.go", "./buffer", []string{
		"if e.mailbox.Swap(word) == none {", `was := e.mailbox.Load()
	e.mailbox.Store(word)
	if was == none {`,
	}},
	{"correction-in-two-swaps", "a corrected pair replaces the other one state by state", "buffer/exchange.go", "./buffer", []string{
		"	w.staging |= bit(w.next)", `	if w.staging |= bit(w.next); e.w.stages() == 2 {
		staging := e.w.staging
		e.swap(wordOf(uint8(e.w.word&slotMask), e.w.staged[1], e.w.staged[0]), e.slot[e.w.word&slotMask].Tick)
		e.w.staging = staging
	}`,
	}},
	{"take-load-store", "the reader empties the mailbox by a load and a store", "buffer/exchange.go", "./buffer", []string{
		"*r = e.named(e.mailbox.Swap(none))", `*r = e.named(e.mailbox.Load())
		e.mailbox.Store(none)`,
	}},
	{"no-answer", "the writer ignores whether the mailbox was empty", "buffer/exchange.go", "./buffer", []string{
		"if e.mailbox.Swap(word) == none {", "if e.mailbox.Swap(word) != 0 {",
	}},
	{"eight-slots", "the exchange has eight slots", "buffer/exchange.go", "./buffer", []string{
		"ownSlots = 9", "ownSlots = 8",
	}},
	{"staged-published", "a staged state is published at once", "buffer/exchange.go", "./buffer", []string{
		"	w.staging |= bit(w.next)", "	e.swap(uint64(e.w.next)|e.w.word&^slotMask, e.slot[e.w.next].Tick)",
	}},
	{"staged-reused", "the writer writes a slot that is staged", "buffer/exchange.go", "./buffer", []string{
		" | w.staging\n", "\n",
	}},
	{"place-swap", "the writer swaps a word into a reader's place whatever is there", "buffer/readers.go", "./buffer", []string{
		"if p.box.CompareAndSwap(old, e.w.word) {", "if p.box.Swap(e.w.word); true {",
	}},
	{"place-take-load-store", "a further reader empties its place by a load and a store", "buffer/readers.go", "./buffer", []string{
		"r.hand, r.feed = r.e.named(r.p.box.Swap(none)), r.p.feed", `r.hand, r.feed = r.e.named(r.p.box.Load()), r.p.feed
		r.p.box.Store(none)`,
	}},
	{"place-not-heeded", "the writer does not heed what a reader has taken from its place", "buffer/readers.go", "./buffer", []string{
		"p.held = p.waiting", "",
	}},
	{"place-not-kept", "the writer writes what waits in the place of a reader that sleeps", "buffer/readers.go", "./buffer", []string{
		"slots |= r.place[i].held | r.place[i].waiting", "slots |= r.place[i].held",
	}},
	{"feed-after-word", "the writer gives a reader its feed after the states", "buffer/readers.go", "-race ./buffer", []string{
		"p.feed = e.readers.begin()", "",
		"p.waiting = e.w.kept", `p.waiting = e.w.kept
			if old == asking && e.readers.structure != nil {
				p.feed = e.readers.begin()
			}`,
	}},
	{"feed-unasked", "the writer gives another feed to a reader that has not asked", "buffer/readers.go", "-race ./buffer", []string{
		"case old != asking && p.feed != nil && p.feed.full:\n\t\t\treturn", "",
		"case old != asking || e.readers.structure == nil:", "case old != asking && !(p.feed != nil && p.feed.full) || e.readers.structure == nil:",
	}},
	{"feed-full-goes-on", "a reader whose feed is cut gets more states", "buffer/readers.go", "./buffer", []string{
		"case old != asking && p.feed != nil && p.feed.full:\n\t\t\treturn", "",
	}},
	{"feed-too-new", "a reader gets a feed that does not belong to the states", "buffer/readers.go", "./buffer", []string{
		`case e.readers.structure.count != e.slot[e.w.word&slotMask].Structure:
			return // the records of existing bodies do not belong to these states
`, "",
	}},
	{"ask-silent", "a reader asks for a feed and does not ring", "buffer/readers.go", "./buffer", []string{
		`r.ring()
	}
	return r.current()`, `}
	return r.current()`,
	}},
	{"come-ring-first", "a reader that comes rings before it is in its place", "buffer/readers.go", "./buffer", []string{
		"p := &e.readers.place[i]\n\t\tif", "p := &e.readers.place[i]\n\t\tring()\n\t\tif",
		"\t\tring()\n\t\treturn &Reader", "\t\treturn &Reader",
	}},
	{"advance-before-correction", "the physics loop announces a frame before it publishes its correction", "physicsloop/ahead.go", "./physicsloop", []string{
		"l.correct()\n\tcase", "l.link.Advance(l.tick, l.frames)\n\t\tl.correct()\n\tcase",
	}},
	{"early-reuse", "the log uses a chunk again before the reader has left it", "buffer/log.go", "./buffer", []string{
		"if l.left.Load() >= l.freedRecords+chunkLen {", "if l.left.Load() >= l.freedRecords {",
	}},
	{"left-before-link", "the log gives a chunk back before it has followed its link", "buffer/log.go", "-race ./buffer", []string{
		`next := l.head.next.Load()
		if next == nil {
			return nil
		}
		l.head = next
		l.left.Store(l.taken)`, `l.left.Store(l.taken)
		next := l.head.next.Load()
		if next == nil {
			return nil
		}
		l.head = next`,
	}},
	{"reuse-after-end", "the log takes a chunk that End has let go of, and has the others back", "buffer/log.go", "./buffer", []string{
		"if c == nil || !l.old.CompareAndSwap(c, c.next.Load()) {\n\t\treturn nil\n\t}", "if c == nil {\n\t\treturn nil\n\t}\n\tl.old.Store(c.next.Load())",
	}},
	{"link-after-end", "the log links a chunk after End has gone by", "buffer/log.go", "./buffer", []string{
		"if l.old.Load() == nil {", "if false {",
	}},
	{"count-before-append", "Demand.Post counts the frame before it is written", "buffer/demand.go", "-race ./buffer", []string{
		`d.frames.Append(f)
	n := d.frames.Count()`, "n := d.frames.Count() + 1",
		`d.posted.Store(n)
	d.Ring()`, `d.posted.Store(n)
	d.frames.Append(f)
	d.Ring()`,
	}},
	{"post-ring-first", "Demand.Post rings before it stores the number of frames", "buffer/demand.go", "./physicsloop", []string{
		"d.posted.Store(n)", "",
		"return n", `d.posted.Store(n)
	return n`,
	}},
	{"limit-ring-first", "Demand.SetLimit rings before it stores the limit", "buffer/demand.go", "./physicsloop", []string{
		"if l != tick && l != unlimited && d.limit.CompareAndSwap(l, tick) { // RemoveLimit may come in between", "if l != tick && l != unlimited {",
		`d.Ring()
	}`, `d.Ring()
		d.limit.CompareAndSwap(l, tick)
	}`,
	}},
	{"limit-silent", "Demand.SetLimit does not ring", "buffer/demand.go", "./physicsloop", []string{
		`d.Ring()
	}`, `	}`,
	}},
	{"quit-ring-first", "Demand.Quit rings before it stores quit", "buffer/demand.go", "./physicsloop", []string{
		`d.quit.Store(true)
	d.Ring()`, `d.Ring()
	d.quit.Store(true)`,
	}},
	{"no-buffer", "a bell without a buffer", "buffer/bell.go", "./buffer", []string{
		"func newBell() bell { return make(bell, 1) }", "func newBell() bell { return make(bell) }",
	}},
	{"advance-ring-first", "Link.Advance rings before it stores the progress", "buffer/link.go", "./physicsloop", []string{
		"l.tick.Store(tick)", `l.bell.ring()
	l.tick.Store(tick)`,
		`l.frames.Store(frames)
	l.bell.ring()
}`, `l.frames.Store(frames)
}`,
	}},
	{"stop-ring-first", "Link.Stop rings before it stores stopped", "buffer/link.go", "./buffer", []string{
		`l.stopped.Store(true)
	l.bell.ring()`, `l.bell.ring()
	l.stopped.Store(true)`,
	}},
	{"failure-last", "Link.Stop stores the failure after stopped", "buffer/link.go", "./buffer", []string{
		`l.stopped.Store(true)
	l.bell.ring()`, "",
		"if f != nil {", `l.stopped.Store(true)
	l.bell.ring()
	if f != nil {`,
	}},
	{"advance-before-publish", "the physics loop announces a tick before it publishes its state", "physicsloop/loop.go", "./physicsloop", []string{
		"l.link.Exchange.Publish()", "",
		"phases.Enter(phase.Other)", `l.link.Exchange.Publish()
	phases.Enter(phase.Other)`,
	}},
	{"advance-before-republish", "the physics loop announces a frame before it publishes its edit", "physicsloop/loop.go", "./physicsloop", []string{
		"if edited || l.unpublished {", `l.link.Advance(l.tick, l.frames)
		if edited || l.unpublished {`,
		`l.link.Advance(l.tick, l.frames)
		phases.End()`, "phases.End()",
	}},
	{"ready-before-state", "the physics loop is ready before its first state is out", "physicsloop/loop.go", "./physicsloop", []string{
		`close(l.ready)
	for l.frame() {`, "for l.frame() {",
		"l.sim.Start(&l.link.Outbox)", `close(l.ready)
	l.sim.Start(&l.link.Outbox)`,
	}},
	{"await-before-limit", "a Lockstep frame on a simulated clock waits before it moves the limit", "renderloop/simulated.go", "./renderloop", []string{
		`p.drain()
	start := monotime.Now()
	p.link.Await(tick, p.posted())`, `start := monotime.Now()
	p.link.Await(tick, p.posted())
	p.drain()`,
	}},
	{"acquire-before-await", "a Lockstep frame takes the pair before it waits", "renderloop/lockstep.go", "./renderloop", []string{
		"l.stats.WaitNanos = l.physics.finish(l.clock.Demand())", "",
		"l.show(l.position(0), still)", `l.stats.WaitNanos = l.physics.finish(l.clock.Demand())
	l.show(l.position(0), still)`,
	}},
	{"limit-after-await", "a frame on a simulated clock waits before it moves the limit", "renderloop/simulated.go", "./renderloop", []string{
		"d.SetLimit(m.newest)", "",
		"p.link.AwaitAhead(m.newest)", `p.link.AwaitAhead(m.newest)
	d.SetLimit(m.newest)`,
	}},
	{"limit-not-lifted", "Demand.SetLimit moves a limit that was lifted", "buffer/demand.go", "./physicsloop", []string{
		"if l != tick && l != unlimited && d.limit.CompareAndSwap(l, tick) { // RemoveLimit may come in between", `if l != tick {
		d.limit.Store(tick)`,
	}},
	{"park-look-first", "a worker of a step looks for a stage before it says that it sleeps", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		`p.parked[i].Store(true)
	if p.stage.Load() != stage && p.parked[i].CompareAndSwap(true, false) {
		return true // it has begun, and nobody will open the door
	}`, `if p.stage.Load() != stage {
		return true
	}
	p.parked[i].Store(true)`,
	}},
	{"doors-first", "the pool opens the doors before it announces the stage", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		`stage := p.announce(uint64(blocks))
	p.openDoors()`, `p.openDoors()
	stage := p.announce(uint64(blocks))`,
	}},
	{"count-after-stage", "the pool begins to count after it has announced the stage", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		`p.done.Store(0)
	stage := p.announce(uint64(blocks))`, `stage := p.announce(uint64(blocks))
	p.done.Store(0)`,
	}},
	{"sleep-look-first", "the step looks whether all blocks are done before it says that it sleeps", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		`p.asleep.Store(true)
	if p.done.Load() != blocks || !p.asleep.CompareAndSwap(true, false) {`, `look := p.done.Load() != blocks
	p.asleep.Store(true)
	if look || !p.asleep.CompareAndSwap(true, false) {`,
	}},
	{"finish-look-first", "a worker looks whether the step sleeps before it counts its blocks", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		"if p.done.Add(did) == blocks && p.asleep.CompareAndSwap(true, false) {", "asleep := p.asleep.Load()\n\tif p.done.Add(did) == blocks && asleep && p.asleep.CompareAndSwap(true, false) {",
	}},
	{"block-twice", "a block is taken by a load and a store", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		"if s.CompareAndSwap(v, number|(block+1)) {", "if s.Store(number | (block + 1)); true {",
	}},
	{"late-worker", "a worker that comes late takes blocks of a later stage", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		"case v&^lowBits > number: // a later stage", "case v&^lowBits > number && p == nil:",
	}},
	{"stage-again", "two stages have one number", "internal/box/workers/pool.go", "./internal/box/workers", []string{
		"p.number++", "p.number |= 1",
	}},
	{"done-early", "a worker counts a block before it is done", "internal/box/workers/pool.go", "-race ./internal/box/workers", []string{
		`p.do(int(block))
			did++`, `p.finish(1, uint64(blocks))
			p.do(int(block))`,
	}},
}

// mutate returns the text with the edits. Each edit must match exactly one place.
func mutate(text string, edits []string) (string, error) {
	for e := range slices.Chunk(edits, 2) {
		if n := strings.Count(text, e[0]); n != 1 {
			return "", fmt.Errorf("%q is there %d times", e[0], n)
		}
		text = strings.Replace(text, e[0], e[1], 1)
	}
	return text, nil
}

// The script scripts/check/mutants runs this test with all mutants.
func TestEveryMutantFitsTheCodeAndIsNoticed(t *testing.T) {
	if *run != "" {
		fmt.Print("| mutant | the broken code | test that fails |\n| --- | --- | --- |\n")
	}
	for _, m := range mutants {
		file, err := filepath.Abs(filepath.Join(root, m.file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		broken, err := mutate(string(text), m.edits)
		if err != nil {
			t.Errorf("%s: %s: %v", m.name, m.file, err)
			continue
		}
		if *run == "all" || slices.Contains(strings.Fields(*run), m.name) {
			fmt.Printf("| %s | %s | %s |\n", m.name, m.what, noticedBy(t, m.name, file, broken, m.tests))
		}
	}
}

// noticedBy returns the first test that fails or that is interrupted by a time limit
// or a crash.
func noticedBy(t *testing.T, name, file, broken, tests string) string {
	t.Helper()
	other := filepath.Join(t.TempDir(), "broken.go")
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		t.Fatal(err)
	}
	test := func(pattern string) (string, error) {
		args := []string{"test", "-overlay", overlay, "-tags", "interleave", "-timeout", "3m", "-run", pattern}
		cmd := exec.Command("go", append(args, strings.Fields(tests)...)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := test("^$"); err != nil {
		t.Errorf("%s does not build:\n%s", name, out)
		return "DOES NOT BUILD"
	}
	out, err := test("Interleaved")
	if err == nil {
		t.Errorf("no test notices %s", name)
		return "NOTHING"
	}
	by := regexp.MustCompile(`(?m)^--- FAIL: (Test\w+)|^\t+(Test\w+) \([0-9ms.]*\)$`).FindStringSubmatch(out)
	if by == nil {
		t.Errorf("%s:\n%s", name, out)
		return "A CRASH"
	}
	found := by[1] + by[2]
	if strings.HasPrefix(tests, "-race") {
		found += ", with -race"
	}
	return found
}
