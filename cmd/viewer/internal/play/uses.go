package play

// uses counts how often the user has used each action and control, for -stats.
type uses map[string]int

func (u uses) Count(name string) { u[name]++ }
