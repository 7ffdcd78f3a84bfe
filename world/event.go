package world

// EventKind says what happened.
type EventKind uint8

// The kinds of Event, with the fields each uses besides Kind and Tick.
const (
	ContactBegin    EventKind = iota // A, B, ShapeA, ShapeB, Point, Normal: two shapes began to touch
	ContactEnd                       // A, B, ShapeA, ShapeB: two shapes ceased to touch
	ContactHit                       // as Begin, with Impulse: the strongest normal impulse of the step in which they began to touch, sent if there was any
	SensorBegin                      // A, B, ShapeA (the sensor), ShapeB: a shape entered a sensor
	SensorEnd                        // as SensorBegin: it left
	BodySlept                        // A; looked for after each step
	BodyWoke                         // A; the same
	BodyRemoved                      // A, User: the body is gone; here is its user data
	CommandRejected                  // A, Err: a command was not carried out
	BodyLost                         // A, Err: the body left the world (1e9 m, or not a number) and was put back a step, stopped and disabled
	answered                         // the answer to a question, see Ask
)

// Event is something that happened in a step or between two. It is stamped
// with the tick at whose instant it can be seen.
type Event struct {
	Kind EventKind
	Tick uint64
	Contact
	NameA, NameB string // of the bodies A and B
	User         any
	Err          error

	reply *func(tick uint64) // of an answer; a pointer, so that events can be compared
}
