package world

import (
	"fmt"
	"strings"
)

// nameOf is names[i], or "unknown".
func wordOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}

// String is the kind as a word: static, kinematic or dynamic.
func (k BodyKind) String() string {
	return wordOf([]string{"static", "kinematic", "dynamic"}, int(k))
}

// String is the kind in words, such as "closed chain".
func (k ShapeKind) String() string {
	return wordOf([]string{"circle", "polygon", "edge", "chain", "closed chain"}, int(k))
}

// String is the kind as a word, such as "revolute".
func (k JointKind) String() string {
	return wordOf([]string{
		"revolute", "prismatic", "distance", "pulley", "mouse", "gear", "wheel", "weld", "friction", "rope", "motor",
	}, int(k))
}

// String is the kind in words, such as "contact begin".
func (k EventKind) String() string {
	return wordOf([]string{
		"contact begin", "contact end", "contact hit", "sensor begin", "sensor end",
		"body slept", "body woke", "body removed", "command rejected", "body lost", "answer",
	}, int(k))
}

// String is the event as a sentence, such as
//
//	tick 74: "ball" hit "ground" with 3.1 N·s
func (e Event) String() string {
	a, b := who(e.A, e.NameA), who(e.B, e.NameB)
	var what string
	switch e.Kind {
	case ContactBegin:
		what = a + " began to touch " + b
	case ContactEnd:
		what = a + " stopped touching " + b
	case ContactHit:
		what = fmt.Sprintf("%s hit %s with %.3g N·s", a, b, e.Impulse)
	case SensorBegin:
		what = b + " entered a sensor of " + a
	case SensorEnd:
		what = b + " left a sensor of " + a
	case BodySlept:
		what = a + " fell asleep"
	case BodyWoke:
		what = a + " woke up"
	case BodyRemoved:
		what = a + " was removed"
	case CommandRejected:
		what = "a command was rejected"
		if e.A != 0 {
			what = "a command for " + a + " was rejected"
		}
		what += reason(e.Err)
	case BodyLost:
		what = a + " left the world" + reason(e.Err)
	default:
		what = e.Kind.String()
	}
	return fmt.Sprintf("tick %d: %s", e.Tick, what)
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(err.Error(), "box: ")
}

// who is a body as people know it: by its name if it has one.
func who(b Body, name string) string {
	if name != "" {
		return fmt.Sprintf("%q", name)
	}
	return b.String()
}
