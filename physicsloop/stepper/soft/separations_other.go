//go:build !amd64 || purego

package soft

func (s *separations) separate(a, g, b *polygon, q rot, at vec) bool { return false }
