//go:build !linux

package phase

func readUsage() usage { return usage{} }
