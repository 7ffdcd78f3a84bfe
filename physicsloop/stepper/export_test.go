package stepper

// ForceParallel makes the stepper use its workers however small the world is,
// in the smallest pieces.
func (s *Stepper) ForceParallel() {
	s.limits = limits{share: 100, chunk: 1, piece: 1}
}
