package main

import "time"

// notice is a message that is shown for a while.
type notice struct {
	text  string
	until time.Time
}

func (n *notice) shown(now time.Time) bool { return n.text != "" && now.Before(n.until) }

// say shows a short notice, such as what a key has changed.
func (v *viewer) say(text string) {
	v.notice = notice{printable(text), time.Now().Add(2 * time.Second)}
}

// warn shows an error, long enough for users who sometimes look away.
func (v *viewer) warn(text string) {
	v.notice = notice{printable(text), time.Now().Add(20 * time.Second)}
}
