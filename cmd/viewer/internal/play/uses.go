package play

// Uses counts how often the user has used each action and control, for -stats.
type Uses map[string]int

// Count counts one use.
func (u Uses) Count(name string) { u[name]++ }
