package hitch_test

import "syscall"

// touch makes page faults: it touches n bytes for the first time.
func touch(n int) {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return
	}
	defer syscall.Munmap(b)
	syscall.Madvise(b, 15) // MADV_NOHUGEPAGE: many small faults
	for i := 0; i < n/2; i += 4096 {
		b[i] = 1
	}
}
