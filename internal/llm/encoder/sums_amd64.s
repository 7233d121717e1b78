#include "textflag.h"

// The three ways to sum products of bytes: a panel of weights (128 bytes for each four columns) and eight rows of
// codes. Sums are exact, whatever the order.

// PANEL loads what all of them take: SI weights, DX rows, R8 length of a row, R10 three of them, DI and R9 where sums
// go.
#define PANEL \
	MOVQ w+0(FP), SI;      \
	MOVQ x+8(FP), DX;      \
	MOVQ in+16(FP), R8;    \
	MOVQ dst+24(FP), DI;   \
	MOVQ stride+32(FP), R9; \
	SHLQ $2, R9;           \
	LEAQ (R8)(R8*2), R10;  \
	LEAQ (R9)(R9*2), R11

#define ROW512(at, low, high) \
	VPBROADCASTD at, Z18;          \
	VPDPBUSD     Z16, Z18, low;    \
	VPDPBUSD     Z17, Z18, high

#define STORE512(at, next, low, high) \
	VMOVDQU32 low, at;    \
	VMOVDQU32 high, next

// func sumsVNNI512(w *int8, x *uint8, in int, dst *int32, stride int)
TEXT ·sumsVNNI512(SB), NOSPLIT, $0-40
	PANEL
	LEAQ   (DX)(R8*4), BX
	MOVQ   R8, CX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15

four:
	VMOVDQU32 (SI), Z16
	VMOVDQU32 64(SI), Z17
	ROW512((DX), Z0, Z1)
	ROW512((DX)(R8*1), Z2, Z3)
	ROW512((DX)(R8*2), Z4, Z5)
	ROW512((DX)(R10*1), Z6, Z7)
	ROW512((BX), Z8, Z9)
	ROW512((BX)(R8*1), Z10, Z11)
	ROW512((BX)(R8*2), Z12, Z13)
	ROW512((BX)(R10*1), Z14, Z15)
	ADDQ $128, SI
	ADDQ $4, DX
	ADDQ $4, BX
	SUBQ $4, CX
	JNZ  four

	LEAQ (DI)(R9*4), BX
	STORE512((DI), 64(DI), Z0, Z1)
	STORE512((DI)(R9*1), 64(DI)(R9*1), Z2, Z3)
	STORE512((DI)(R9*2), 64(DI)(R9*2), Z4, Z5)
	STORE512((DI)(R11*1), 64(DI)(R11*1), Z6, Z7)
	STORE512((BX), 64(BX), Z8, Z9)
	STORE512((BX)(R9*1), 64(BX)(R9*1), Z10, Z11)
	STORE512((BX)(R9*2), 64(BX)(R9*2), Z12, Z13)
	STORE512((BX)(R11*1), 64(BX)(R11*1), Z14, Z15)
	VZEROUPPER
	RET

// DOT is VPDPBUSD in its AVX form, which the assembler lacks: Y15 times Y12 or Y13, added to one of Y0 to Y7.
#define DOT(registers) BYTE $0xC4; BYTE $0xC2; BYTE $0x05; BYTE $0x50; BYTE $registers

#define ROWVNNI(at, low, high) \
	VPBROADCASTD at, Y15; \
	DOT(low);             \
	DOT(high)

#define STORE256(at, next, low, high) \
	VMOVDQU low, at;    \
	VMOVDQU high, next

// func sumsVNNI(w *int8, x *uint8, in int, dst *int32, stride int)
// Four rows of codes and half a panel at a time.
TEXT ·sumsVNNI(SB), NOSPLIT, $0-40
	PANEL
	MOVQ $2, AX

rows:
	MOVQ $2, R12

half:
	MOVQ  R8, CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

four:
	VMOVDQU (SI), Y12
	VMOVDQU 32(SI), Y13
	ROWVNNI((DX), 0xC4, 0xCD)
	ROWVNNI((DX)(R8*1), 0xD4, 0xDD)
	ROWVNNI((DX)(R8*2), 0xE4, 0xED)
	ROWVNNI((DX)(R10*1), 0xF4, 0xFD)
	ADDQ $128, SI
	ADDQ $4, DX
	SUBQ $4, CX
	JNZ  four

	STORE256((DI), 32(DI), Y0, Y1)
	STORE256((DI)(R9*1), 32(DI)(R9*1), Y2, Y3)
	STORE256((DI)(R9*2), 32(DI)(R9*2), Y4, Y5)
	STORE256((DI)(R11*1), 32(DI)(R11*1), Y6, Y7)
	SUBQ R8, DX
	MOVQ w+0(FP), SI
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ R12
	JNZ  half

	MOVQ w+0(FP), SI
	LEAQ (DX)(R8*4), DX
	SUBQ $128, DI
	LEAQ (DI)(R9*4), DI
	DECQ AX
	JNZ  rows
	VZEROUPPER
	RET

#define WORDS(at, a, b, c, d) \
	VPBROADCASTD at, X12;        \
	VPMOVZXBW    X12, Y12;       \
	VPMADDWD     Y8, Y12, Y13;   \
	VPADDD       Y13, a, a;      \
	VPMADDWD     Y9, Y12, Y14;   \
	VPADDD       Y14, b, b;      \
	VPMADDWD     Y10, Y12, Y13;  \
	VPADDD       Y13, c, c;      \
	VPMADDWD     Y11, Y12, Y14;  \
	VPADDD       Y14, d, d

#define FOLD(a, b, at) \
	VPHADDD b, a, a;       \
	VPERMQ  $0xD8, a, a;   \
	VMOVDQU a, at

// func sumsWords(w *int8, x *uint8, in int, dst *int32, stride int)
// AVX2 adds products of bytes only with a loss, so they are widened to words. Two rows of codes and half a panel at a
// time.
TEXT ·sumsWords(SB), NOSPLIT, $0-40
	PANEL
	MOVQ $4, AX

rows:
	MOVQ $2, R12

half:
	MOVQ  R8, CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

four:
	VPMOVSXBW (SI), Y8
	VPMOVSXBW 16(SI), Y9
	VPMOVSXBW 32(SI), Y10
	VPMOVSXBW 48(SI), Y11
	WORDS((DX), Y0, Y1, Y2, Y3)
	WORDS((DX)(R8*1), Y4, Y5, Y6, Y7)
	ADDQ $128, SI
	ADDQ $4, DX
	SUBQ $4, CX
	JNZ  four

	FOLD(Y0, Y1, (DI))
	FOLD(Y2, Y3, 32(DI))
	FOLD(Y4, Y5, (DI)(R9*1))
	FOLD(Y6, Y7, 32(DI)(R9*1))
	SUBQ R8, DX
	MOVQ w+0(FP), SI
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ R12
	JNZ  half

	MOVQ w+0(FP), SI
	LEAQ (DX)(R8*2), DX
	SUBQ $128, DI
	LEAQ (DI)(R9*2), DI
	DECQ AX
	JNZ  rows
	VZEROUPPER
	RET
