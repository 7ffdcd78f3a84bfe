//go:build !linux

package hitch_test

func touch(n int) {
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
}
