//go:build interleave && !race

package interleave

func hide() {}
func show() {}
