//go:build !unix

package main

// dumpOnQuit does nothing: there is no QUIT signal here.
func dumpOnQuit(func()) (stop func()) { return func() {} }
