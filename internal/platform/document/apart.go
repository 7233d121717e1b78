package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	apartEnv  = "PRECEPTOR_READS_DOCUMENT" // names the document that this process reads, and does nothing else
	maxMemory = 768 << 20
	maxApart  = 2 * maxTime
)

// atOnce is how many documents are read apart at a time.
var atOnce = make(chan struct{}, 2)

var errGreedy = cannot("it takes too much memory or is broken; save it again from the program that made it")

type answer struct {
	Page Page
	Why  string
}

// A program that has this package reads a document apart by running itself: tests as well as the server.
func init() {
	if name := os.Getenv(apartEnv); name != "" {
		os.Exit(apart(name))
	}
}

// apart is the process that reads. It ends itself when it grows too large; its parent ends it when it takes too long.
func apart(name string) int {
	debug.SetMemoryLimit(maxMemory / 2)
	go func() {
		grown := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
			{Name: "/memory/classes/heap/stacks:bytes"}}
		for {
			metrics.Read(grown)
			if grown[0].Value.Uint64()+grown[1].Value.Uint64() > maxMemory {
				os.Exit(3)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	raw, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	var a answer
	if a.Page, err = readHere(name, raw); err != nil {
		a = answer{Why: err.Error()}
	}
	if json.NewEncoder(os.Stdout).Encode(a) != nil {
		return 1
	}
	return 0
}

// readApart has a document read by another process.
func readApart(name string, raw []byte) (p Page, err error) {
	atOnce <- struct{}{}
	defer func() { <-atOnce }()
	ctx, stop := context.WithTimeout(context.Background(), maxApart)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return p, err
	}
	var out bytes.Buffer
	c := exec.CommandContext(ctx, self)
	c.Env, c.Stdin, c.Stdout = []string{apartEnv + "=" + name}, bytes.NewReader(raw), &out
	c.WaitDelay = time.Second
	err = c.Run()
	var a answer
	_, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return p, errSlow
	case ended:
		return p, errGreedy
	case err != nil:
		return p, err
	case json.Unmarshal(out.Bytes(), &a) != nil:
		return p, errGreedy
	case a.Why != "":
		return p, &Unreadable{a.Why}
	}
	return a.Page, nil
}

// readHere reads a document in this process.
func readHere(name string, raw []byte) (p Page, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = Page{}, errGreedy
		}
	}()
	err = kindOf(name).read(raw, &p)
	return p, err
}
