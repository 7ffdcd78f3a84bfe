package input

// Key is the position of a key on the keyboard, named after the key of a US keyboard. The numbers are
// those of GLFW. For letters, digits and signs they are the characters.
type Key int

const KeyUnknown Key = -1

const (
	KeySpace      Key = ' '
	KeyApostrophe Key = '\''
	KeyComma      Key = ','
	KeyMinus      Key = '-'
	KeyPeriod     Key = '.'
	KeySlash      Key = '/'
	KeySemicolon  Key = ';'
	KeyEqual      Key = '='

	KeyLeftBracket  Key = '['
	KeyRightBracket Key = ']'
)

const (
	Key0 Key = '0' + iota
	Key1
	Key2
	Key3
	Key4
	Key5
	Key6
	Key7
	Key8
	Key9
)

const (
	KeyA Key = 'A' + iota
	KeyB
	KeyC
	KeyD
	KeyE
	KeyF
	KeyG
	KeyH
	KeyI
	KeyJ
	KeyK
	KeyL
	KeyM
	KeyN
	KeyO
	KeyP
	KeyQ
	KeyR
	KeyS
	KeyT
	KeyU
	KeyV
	KeyW
	KeyX
	KeyY
	KeyZ
)

const (
	KeyEscape Key = 256 + iota
	KeyEnter
	KeyTab
	KeyBackspace
	KeyInsert
	KeyDelete
	KeyRight
	KeyLeft
	KeyDown
	KeyUp
	KeyPageUp
	KeyPageDown
	KeyHome
	KeyEnd
)

const (
	KeyF1 Key = 290 + iota
	KeyF2
	KeyF3
	KeyF4
	KeyF5
	KeyF6
	KeyF7
	KeyF8
	KeyF9
	KeyF10
	KeyF11
	KeyF12

	KeyF25 Key = 314
)

// The keys of the keypad.
const (
	KeyKP0        Key = 320
	KeyKPSubtract Key = 333
	KeyKPAdd      Key = 334
	KeyKPEnter    Key = 335
	KeyKPEqual    Key = 336
)

// Action says what happened to a key or a button.
type Action int

const (
	Release Action = iota
	Press
	Repeat // the key is held
)

// Button is a button of the mouse.
type Button int

const (
	MouseButtonLeft Button = iota
	MouseButtonRight
)

// Mods are the modifier keys, such as Shift, that are held down.
type Mods int

const (
	ModShift Mods = 1 << iota
	ModControl
)

// LayoutNames are the characters that a keyboard has on its keys, by position. A position is
// missing if its key has no character or is unknown.
type LayoutNames map[Key]string
