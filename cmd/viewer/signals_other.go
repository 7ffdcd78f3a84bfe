//go:build !unix

package main

// dumpOnQuit does nothing, because this system has no QUIT signal.
func dumpOnQuit(func()) (stop func()) { return func() {} }
