package scenes

// Fewer returns the number of steps of a scene in a test. For up to a hundred
// bodies this is most. For more bodies there are fewer steps, so that the
// work stays the same.
func Fewer(most int, bodies int32) int { return max(2, min(most, most*100/max(1, int(bodies)))) }

// HasCapsules reports whether the library's step cannot play a scene.
func HasCapsules(s Scene) bool { return s.Name == "capsules" || s.Name == "ragdolls" }
