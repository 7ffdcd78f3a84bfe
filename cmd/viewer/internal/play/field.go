package play

import "math"

// Field is a value of a body, a shape or a joint that the user can change. The type D is the definition
// that has the value. BodyFields, ShapeFields and JointFields are tables of fields. A row of a table
// has what the page Body shows, the words for undo, and the command.
type Field[D any] struct {
	Name     string // "change " + Name is the name of the control, and of the change in undo
	Unit     string
	Is       FieldKind
	Advanced bool // Advanced says that the value is only on the page with all values.

	Min, Max    float64  // Min and Max are the ends of the slider.
	Step        float64  // Step is the step of a slider. The value 0 means that there is none.
	Log         bool     // Log says that the scale of the slider is logarithmic.
	Least, Most float64  // Least and Most are the range of values that can be typed. If both are 0, the range is from Min to Max.
	Words       []string // Words are the words of a Choice.

	Has func(*D) bool // Has reports whether a definition has the value. If it is nil, all definitions have the value.
	Get func(*D) float64
	set func(*D, float64)

	Text  func(*D) string         // Text, for a Text, replaces Get and set.
	parse func(*D, string) string // parse returns an error message, or "".

	// send sends the command that changes a part according to its changed definition. If it is nil, the
	// part is replaced. In the tables of bodies and shapes it is never nil.
	send func(p *Player, handle uint64, d *D)
}

// FieldKind says how a value is shown and changed.
type FieldKind int

const (
	Number FieldKind = iota
	Truth            // 0 or 1
	Choice           // Choice: the value is the index of a word.
	Text
)

// Control returns the name of the control that changes the value. It is also the name of the change.
func (f *Field[D]) Control() string { return "change " + f.Name }

// In reports whether a definition has the value.
func (f *Field[D]) In(d *D) bool { return f.Has == nil || f.Has(d) }

// change changes the value in a definition. It sets a Text to text, and other kinds to x.
func (f *Field[D]) change(d *D, x float64, text string) {
	if f.Is == Text {
		f.parse(d, text) // the caller has checked the text
	} else {
		f.set(d, x)
	}
}

// oneIf returns 1 if on is true, and 0 otherwise.
func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

const degree = math.Pi / 180

// number makes a row for a number. The function at finds the number in a definition. The slider goes
// from low to high.
func number[D any](name, unit string, low, high, step float64, at func(*D) *float64) Field[D] {
	return Field[D]{Name: name, Unit: unit, Min: low, Max: high, Step: step,
		Get: func(d *D) float64 { return *at(d) }, set: func(d *D, x float64) { *at(d) = x }}
}

// inDegrees makes a row for an angle that is shown in degrees. Definitions have angles in rad.
func inDegrees[D any](name string, at func(*D) *float64) Field[D] {
	f := number(name, "°", -180, 180, 1, at)
	f.Least, f.Most = -36000, 36000
	f.Get = func(d *D) float64 { return *at(d) / degree }
	f.set = func(d *D, x float64) { *at(d) = x * degree }
	return f
}

// truth makes a row for a value that is on or off.
func truth[D any](name string, at func(*D) *bool) Field[D] {
	return Field[D]{Name: name, Is: Truth, Max: 1,
		Get: func(d *D) float64 { return oneIf(*at(d)) }, set: func(d *D, x float64) { *at(d) = x != 0 }}
}

// typed widens the range of values that can be typed.
func (f Field[D]) typed(least, most float64) Field[D] {
	f.Least, f.Most = least, most
	return f
}

// log gives the slider a logarithmic scale. The user can still type 0.
func (f Field[D]) log(most float64) Field[D] {
	f.Log, f.Step, f.Least, f.Most = true, 0, 0, most
	return f
}

// rare moves the row to the page with all values.
func (f Field[D]) rare() Field[D] {
	f.Advanced = true
	return f
}

// onlyFor sets the function that says which definitions have the value.
func (f Field[D]) onlyFor(has func(*D) bool) Field[D] {
	f.Has = has
	return f
}

// sentBy sets the function that sends the command that changes the value in a running world.
func (f Field[D]) sentBy(send func(*Player, uint64, *D)) Field[D] {
	f.send = send
	return f
}

// named makes the row for a name.
func named[D any](at func(*D) *string) Field[D] {
	return Field[D]{Name: "name", Is: Text, Advanced: true,
		Text:  func(d *D) string { return *at(d) },
		parse: func(d *D, text string) string { *at(d) = text; return "" }}
}

// far is the greatest coordinate that can be typed, in m.
const far = 1e5
