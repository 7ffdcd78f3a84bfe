package main

// uses counts how often the user has used each action and control, for -stats.
type uses map[string]int

func (u uses) count(name string) { u[name]++ }
