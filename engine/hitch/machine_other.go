//go:build !linux

package hitch

func readMachine() machine { return machine{} }
