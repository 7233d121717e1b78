package encoder

import (
	_ "embed"
	"sync"
)

//go:embed bge-small.bin
var bge []byte

// BGE is bge-small-en-v1.5, the public trunk that is part of the program (12 layers, MIT licence, see NOTICE); read at
// the first call.
var BGE = sync.OnceValue(func() *Trunk {
	b, err := Unpacked(bge)
	if err != nil {
		panic("encoder: bge-small.bin: " + err.Error())
	}
	t, err := Load(b)
	if err != nil {
		panic("encoder: bge-small.bin: " + err.Error()) // it is part of the program, and a test reads it
	}
	return t
})
