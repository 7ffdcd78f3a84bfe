package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
)

func TestStockAndFastPrintTheSameHash(t *testing.T) {
	var hashes []any
	for _, args := range [][]string{
		{"-scene", "fall60", "-steps", "30", "-stepper", "stock"},
		{"-scene", "fall60", "-steps", "30", "-stepper", "fast", "-workers", "1"},
		{"-scene", "fall60", "-steps", "20", "-warmup", "10", "-workers", "2"},
	} {
		var out bytes.Buffer
		if err := run(args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		if err := json.Unmarshal(out.Bytes(), &line); err != nil {
			t.Fatalf("%v in %q", err, out.String())
		}
		for _, key := range []string{"engine", "scene", "steps", "cpu_ms", "median_ms", "p99_ms", "sum_y", "allocs_per_step", "bytes_per_step", "state_hash"} {
			if _, ok := line[key]; !ok {
				t.Errorf("no %s in %s", key, out.String())
			}
		}
		hashes = append(hashes, line["state_hash"])
	}
	if hashes[0] != hashes[1] || hashes[0] != hashes[2] {
		t.Errorf("hashes differ: %v", hashes)
	}
}

func TestBadUsageIsToldFromFailure(t *testing.T) {
	for _, args := range [][]string{{"-scene", "nothing"}, {"-stepper", "slow"}, {"-steps", "0"}, {"-workers", "-1"}, {"-nonsense"}} {
		var usage usageError
		if err := run(args, io.Discard, io.Discard); !errors.As(err, &usage) {
			t.Errorf("%v: %v is no usage error", args, err)
		}
	}
}
