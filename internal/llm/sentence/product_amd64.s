#include "textflag.h"

// func dotAVX2(row *byte, x *int16, n int, sums *[4]int32)
// Sums the products of n bytes with each of four rows of n words: 16 bytes are widened to words, multiplied and added in pairs.
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ row+0(FP), SI
	MOVQ x+8(FP), R8
	MOVQ n+16(FP), CX
	MOVQ sums+24(FP), DI
	LEAQ (R8)(CX*2), R9
	LEAQ (R9)(CX*2), R10
	LEAQ (R10)(CX*2), R11
	XORQ AX, AX
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

loop:
	VPMOVSXBW (SI)(AX*1), Y0
	VPMADDWD  (R8)(AX*2), Y0, Y1
	VPADDD    Y1, Y4, Y4
	VPMADDWD  (R9)(AX*2), Y0, Y2
	VPADDD    Y2, Y5, Y5
	VPMADDWD  (R10)(AX*2), Y0, Y3
	VPADDD    Y3, Y6, Y6
	VPMADDWD  (R11)(AX*2), Y0, Y1
	VPADDD    Y1, Y7, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop

	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VMOVDQU      X4, (DI)
	VZEROUPPER
	RET
