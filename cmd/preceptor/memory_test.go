package main

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestTheMemoryIsTheLeastThatAnythingAllows(t *testing.T) {
	machine := "MemTotal:        8000000 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing says": {nil, math.MaxInt64},
		"a machine":    {map[string]string{"proc/meminfo": machine}, 8000000 << 10},
		"a container": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"a service": {map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/system.slice/p.service\n",
			"sys/fs/cgroup/system.slice/p.service/memory.max": "max\n",
			"sys/fs/cgroup/system.slice/memory.max":           "1073741824\n"}, 1 << 30},
		"an older kernel": {map[string]string{"proc/meminfo": machine,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n"}, 256 << 20},
		"an older one, freely": {map[string]string{"proc/meminfo": machine,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8000000 << 10},
	} {
		files := fstest.MapFS{}
		for at, text := range c.files {
			files[at] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryOf(files); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
