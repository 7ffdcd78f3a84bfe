package play

import "math"

// Field is a value of a body, a shape or a joint that the user can change. D is the definition that has
// it. BodyFields, ShapeFields and JointFields are tables of fields. A row has what the page Body shows,
// the words of undo, and the command.
type Field[D any] struct {
	Name     string // "change " + Name is the name of the control and of the change in undo
	Unit     string
	Is       FieldKind
	Advanced bool // only on the page with all values

	Min, Max    float64  // of a slider
	Step        float64  // of a slider; 0 for none
	Log         bool     // the scale of the slider is logarithmic
	Least, Most float64  // the range that can be typed; both 0: Min to Max
	Words       []string // of a Choice

	Has func(*D) bool // whether a definition has the value; nil: always
	Get func(*D) float64
	set func(*D, float64)

	Text  func(*D) string         // of a Text, in place of Get and set
	parse func(*D, string) string // it returns an error message, or ""

	// send gives the command that brings a part to its changed definition; nil: the part is replaced.
	// In the tables of bodies and shapes it is never nil.
	send func(p *Player, handle uint64, d *D)
}

// FieldKind says how a value is shown and changed.
type FieldKind int

const (
	Number FieldKind = iota
	Truth            // 0 or 1
	Choice           // the index of a word
	Text
)

// Control is the name of the control that changes the value, and of the change.
func (f *Field[D]) Control() string { return "change " + f.Name }

// In reports whether a definition has the value.
func (f *Field[D]) In(d *D) bool { return f.Has == nil || f.Has(d) }

// change changes the value in a definition, to text if it is a Text and else to x.
func (f *Field[D]) change(d *D, x float64, text string) {
	if f.Is == Text {
		f.parse(d, text) // the caller has checked it
	} else {
		f.set(d, x)
	}
}

// oneIf returns 1 if on, and else 0.
func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

const degree = math.Pi / 180

// number is a row with a number; at finds it in a definition. The slider goes from low to high.
func number[D any](name, unit string, low, high, step float64, at func(*D) *float64) Field[D] {
	return Field[D]{Name: name, Unit: unit, Min: low, Max: high, Step: step,
		Get: func(d *D) float64 { return *at(d) }, set: func(d *D, x float64) { *at(d) = x }}
}

// inDegrees is a row with an angle, which definitions have in rad.
func inDegrees[D any](name string, at func(*D) *float64) Field[D] {
	f := number(name, "°", -180, 180, 1, at)
	f.Least, f.Most = -36000, 36000
	f.Get = func(d *D) float64 { return *at(d) / degree }
	f.set = func(d *D, x float64) { *at(d) = x * degree }
	return f
}

// truth is a row with a value that is on or off.
func truth[D any](name string, at func(*D) *bool) Field[D] {
	return Field[D]{Name: name, Is: Truth, Max: 1,
		Get: func(d *D) float64 { return oneIf(*at(d)) }, set: func(d *D, x float64) { *at(d) = x != 0 }}
}

// typed widens the range that can be typed.
func (f Field[D]) typed(least, most float64) Field[D] {
	f.Least, f.Most = least, most
	return f
}

// log gives the slider a logarithmic scale; 0 can be typed.
func (f Field[D]) log(most float64) Field[D] {
	f.Log, f.Step, f.Least, f.Most = true, 0, 0, most
	return f
}

// rare shows the row only on the page with all values.
func (f Field[D]) rare() Field[D] {
	f.Advanced = true
	return f
}

// onlyFor says which definitions have the value.
func (f Field[D]) onlyFor(has func(*D) bool) Field[D] {
	f.Has = has
	return f
}

// sentBy gives the command that changes the value in a running world.
func (f Field[D]) sentBy(send func(*Player, uint64, *D)) Field[D] {
	f.send = send
	return f
}

// named is the row of a name.
func named[D any](at func(*D) *string) Field[D] {
	return Field[D]{Name: "name", Is: Text, Advanced: true,
		Text:  func(d *D) string { return *at(d) },
		parse: func(d *D, text string) string { *at(d) = text; return "" }}
}

// far is the farthest place that can be typed, m.
const far = 1e5
