//go:build !linux

package lane

func readUsage() usage { return usage{} }
