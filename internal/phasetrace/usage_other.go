//go:build !linux

package phasetrace

func readUsage() usage { return usage{} }
