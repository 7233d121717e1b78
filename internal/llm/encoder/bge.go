package encoder

import _ "embed"

//go:embed bge-small.bin
var bge []byte

// BGE is bge-small-en-v1.5, the public trunk that is part of the program (12 layers, MIT licence, see NOTICE); read at
// the first call.
var BGE = Part("encoder: bge-small.bin", bge, Load)
