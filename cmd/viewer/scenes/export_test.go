package scenes

// Fewer is the number of steps of a scene in a test: most for up to a hundred
// bodies, and for more bodies fewer, so that the work stays the same.
func Fewer(most int, bodies int32) int { return max(2, min(most, most*100/max(1, int(bodies)))) }

// HasCapsules says which scenes the library's step cannot play.
func HasCapsules(s Scene) bool { return s.Name == "capsules" || s.Name == "ragdolls" }
