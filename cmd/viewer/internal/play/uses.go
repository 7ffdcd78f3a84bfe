package play

// Uses counts how often the user has used each action and control, for -stats.
type Uses map[string]int

func (u Uses) Count(name string) { u[name]++ }
