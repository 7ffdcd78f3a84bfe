//go:build !race

package buffer

const poison = false
