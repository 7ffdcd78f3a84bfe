package world

import (
	"fmt"
	"strings"
)

// EventKind is the kind of an event.
type EventKind uint8

// The kinds of Event, with the fields that each uses besides Kind and Tick.
const (
	ContactBegin    EventKind = iota // A, B, ShapeA, ShapeB, Point, Normal, Speed: two shapes have begun to touch
	ContactEnd                       // A, B, ShapeA, ShapeB: two shapes have ceased to touch
	ContactHit                       // like ContactBegin, with Impulse, TangentImpulse and TotalImpulse of the first step of the contact, N·s; sent if there was an impulse and Speed is at least Surfaces.HitSpeed
	SensorBegin                      // A, B, ShapeA (the sensor), ShapeB: a shape entered a sensor; if two sensors meet, each is A in an event
	SensorEnd                        // A, B, ShapeA (the sensor), ShapeB: a shape left a sensor
	BodySlept                        // A: the body fell asleep; every step ends with a search for such bodies
	BodyWoke                         // A: the body woke up; every step ends with a search for such bodies
	BodyRemoved                      // A, User: the body was destroyed; User is the value in its definition
	CommandRejected                  // A or Joint and NameJoint, Err: a command was not carried out
	BodyLost                         // A, Err: the body left the world (beyond 1e9 m, or not a number); the world put the body back to its place before the step, stopped it and disabled it
	WorldRestored                    // the world went back to a snapshot; handles that the program holds may be stale
	EventRetracted                   // Was, and the fields of that kind: a delivered event did not happen, because the engine went back in time (History.Rollback, RunAhead with EventsAtOnce)
	answered                         // the answer to a question; see Ask
	JointBroke                       // Joint, NameJoint, A, B, Force, Torque, User: a joint's reaction rose above a limit; User is the value in the joint's definition
	JointRemoved                     // Joint, NameJoint, A, B, User: the joint was destroyed, alone, with one of its bodies, or with a joint that its gear couples; comes after JointBroke
)

// String returns the kind in words, such as "contact begin".
func (k EventKind) String() string {
	return wordOf([]string{
		"contact begin", "contact end", "contact hit", "sensor begin", "sensor end",
		"body slept", "body woke", "body removed", "command rejected", "body lost", "world restored", "event retracted", "answer",
		"joint broke", "joint removed",
	}, int(k))
}

// Event is something that happened in a step or between two steps. Kind decides which of the other
// fields are used.
type Event struct {
	Kind EventKind
	Tick uint64 // the first tick that shows the event
	Contact
	NameA, NameB string    // the names of the bodies A and B
	User         any       // the value of the removed body, or of the broken or removed joint
	Err          error     // the reason of a rejected command or a lost body
	Was          EventKind // the kind of the retracted event

	op     opcode // the operation of the command that was rejected
	struck bool   // B is dynamic and A is not, so the text of the event begins with B

	reply *func(tick uint64) // calls the reply function of a question; a pointer, so that events can be compared

	Joint         Joint
	NameJoint     string
	Force, Torque float64 // the joint's reaction in the step in which the joint broke, in N and N·m
}

// String returns the event as a sentence, such as
//
//	tick 74: "ball" hit "ground" with 3.1 N·s
func (e Event) String() string {
	if e.Kind == EventRetracted {
		e.Kind = e.Was
		when, what, _ := strings.Cut(e.String(), ": ")
		return when + ": retracted: " + what
	}
	a, b := who(e.A, e.NameA), who(e.B, e.NameB)
	if e.struck && e.Kind <= ContactHit {
		a, b = b, a
	}
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
		what = e.op.String()
		switch e.op {
		case opNone:
			what = "a value of PreSolve"
		case opDo: // a closure is never rejected
			if e.Err != errNoFunctionNamed {
				what = "DoNamed"
			}
		}
		if e.A != 0 {
			what += " for " + a
		}
		if e.Joint != 0 {
			what += " for " + e.joint()
		}
		what += " was rejected" + reason(e.Err)
	case BodyLost:
		what = a + " left the world" + reason(e.Err)
	case JointBroke:
		what = fmt.Sprintf("%s %s broke at %.3g N", e.joint(), e.ends(a, b), e.Force)
		if e.Torque > 0 {
			what += fmt.Sprintf(" and %.3g N·m", e.Torque)
		}
	case JointRemoved:
		what = fmt.Sprintf("%s %s was removed", e.joint(), e.ends(a, b))
	default:
		what = e.Kind.String()
	}
	return fmt.Sprintf("tick %d: %s", e.Tick, what)
}

// ends returns the two bodies of the event's joint in words; a and b are their names.
func (e *Event) ends(a, b string) string {
	if e.A == 0 { // the joint is a mouse joint without A
		return "that holds " + b
	}
	return "between " + a + " and " + b
}

// joint returns the event's joint in words.
func (e *Event) joint() string {
	if e.NameJoint != "" {
		return fmt.Sprintf("the joint %q", e.NameJoint)
	}
	return e.Joint.String()
}

// reason returns the error in a form for the end of a sentence.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(err.Error(), "world: ")
}

// who returns a body in words: the name of the body or, if it has none, the handle.
func who(b Body, name string) string {
	if name != "" {
		return fmt.Sprintf("%q", name)
	}
	return b.String()
}

// event makes an event, which the caller fills in. Events before Start are dropped.
func (n *news) event(kind EventKind) *Event {
	e := &n.scrap
	if n.out != nil {
		e = n.out.Events.Next()
	}
	*e = Event{Kind: kind, Tick: n.when.event()}
	return e
}

// reject makes the event of a command that was not carried out.
func (n *news) reject(op opcode, of Body, err error) *Event {
	n.rejected++
	e := n.event(CommandRejected)
	e.op, e.A, e.NameA, e.Err = op, of, n.registry.nameOf(of), err
	return e
}

// nameOf returns the name of a body. It returns "" if the body has no name or does not exist.
func (g *registry) nameOf(b Body) string {
	if r := g.bodies[b]; r != nil {
		return r.name
	}
	return ""
}
