package main

import "time"

// notice is a line that is shown for a moment.
type notice struct {
	text  string
	until time.Time
}

func (n *notice) shown(now time.Time) bool { return n.text != "" && now.Before(n.until) }

// say shows what a key has changed.
func (v *viewer) say(text string) {
	v.notice = notice{printable(text), time.Now().Add(2 * time.Second)}
}

// warn shows what has gone wrong, long enough to be seen by who looks away now
// and then.
func (v *viewer) warn(text string) {
	v.notice = notice{printable(text), time.Now().Add(20 * time.Second)}
}
