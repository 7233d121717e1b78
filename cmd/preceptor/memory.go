package main

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory has memory collected harder before three quarters of what the machine or the container has are in use.
// GOMEMLIMIT says otherwise.
func limitMemory() {
	if most := memoryOf(os.DirFS("/")); os.Getenv("GOMEMLIMIT") == "" && most < math.MaxInt64 {
		debug.SetMemoryLimit(most / 4 * 3)
	}
}

// memoryOf is the least of what the machine has and what its control groups allow this process, in bytes; MaxInt64 when
// none says.
func memoryOf(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	read := func(name, after string, unit int64) {
		b, err := fs.ReadFile(root, name)
		_, rest, ok := strings.Cut(string(b), after)
		word, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		word, _, _ = strings.Cut(word, " ")
		if n, nerr := strconv.ParseInt(word, 10, 64); err == nil && ok && nerr == nil && n > 0 &&
			n <= math.MaxInt64/unit {
			least = min(least, n*unit)
		}
	}
	read("proc/meminfo", "MemTotal:", 1<<10)
	read("sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1)
	own, _ := fs.ReadFile(root, "proc/self/cgroup") // none has no group
	_, rest, _ := strings.Cut(string(own), "0::/")
	group, _, _ := strings.Cut(rest, "\n")
	for at := path.Join("sys/fs/cgroup", group); strings.HasPrefix(at, "sys/fs/cgroup"); at = path.Dir(at) {
		read(path.Join(at, "memory.max"), "", 1)
	}
	return least
}
