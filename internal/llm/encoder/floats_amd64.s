#include "textflag.h"

// The loops of plain.go on eight numbers at a time, in its order of sums. Lengths are multiples of 16 and not 0.

// func rangeOf(x *float32, n int) (least, most float32)
TEXT ·rangeOf(SB), NOSPLIT, $0-24
	MOVQ  x+0(FP), SI
	MOVQ  n+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

loop:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VMINPS  Y4, Y0, Y0
	VMAXPS  Y4, Y1, Y1
	VMINPS  Y5, Y2, Y2
	VMAXPS  Y5, Y3, Y3
	ADDQ    $64, SI
	SUBQ    $16, CX
	JNZ     loop

	VMINPS       Y2, Y0, Y0
	VMAXPS       Y3, Y1, Y1
	VEXTRACTF128 $1, Y0, X2
	VEXTRACTF128 $1, Y1, X3
	VMINPS       X2, X0, X0
	VMAXPS       X3, X1, X1
	VPSHUFD      $0x4E, X0, X2
	VPSHUFD      $0x4E, X1, X3
	VMINPS       X2, X0, X0
	VMAXPS       X3, X1, X1
	VPSHUFD      $0xB1, X0, X2
	VPSHUFD      $0xB1, X1, X3
	VMINPS       X2, X0, X0
	VMAXPS       X3, X1, X1
	VMOVSS       X0, least+16(FP)
	VMOVSS       X1, most+20(FP)
	VZEROUPPER
	RET

// PACK turns the whole numbers in two registers into 16 bytes.
#define PACK(low, high, half, at) \
	VPACKSSDW    high, low, low;  \
	VPERMQ       $0xD8, low, low; \
	VEXTRACTI128 $1, low, half;   \
	VPACKUSWB    half, X2, X2;    \
	VMOVDQU      X2, at

DATA rests<>+0(SB)/4, $0x43800000 // 256, restCode
DATA rests<>+4(SB)/4, $128 // restZero
DATA rests<>+8(SB)/4, $0x3B800000 // 1/256
GLOBL rests<>(SB), RODATA|NOPTR, $12

// func codesOf(x *float32, codes, rest *uint8, n int, by float32, zero int32)
TEXT ·codesOf(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), SI
	MOVQ         codes+8(FP), DI
	MOVQ         rest+16(FP), BX
	MOVQ         n+24(FP), CX
	VBROADCASTSS by+32(FP), Y0
	VBROADCASTSS zero+36(FP), Y1
	VBROADCASTSS rests<>+0(SB), Y8
	VBROADCASTSS rests<>+4(SB), Y9

loop:
	VMULPS     (SI), Y0, Y4
	VMULPS     32(SI), Y0, Y5
	VROUNDPS   $0, Y4, Y6
	VROUNDPS   $0, Y5, Y7
	VCVTPS2DQ  Y6, Y2
	VCVTPS2DQ  Y7, Y3
	VPADDD     Y1, Y2, Y2
	VPADDD     Y1, Y3, Y3
	PACK(Y2, Y3, X3, (DI))
	ADDQ       $64, SI
	ADDQ       $16, DI
	TESTQ      BX, BX
	JZ         next
	VSUBPS     Y6, Y4, Y2
	VSUBPS     Y7, Y5, Y3
	VMULPS     Y8, Y2, Y2
	VMULPS     Y8, Y3, Y3
	VCVTPS2DQ  Y2, Y2
	VCVTPS2DQ  Y3, Y3
	VPADDD     Y9, Y2, Y2
	VPADDD     Y9, Y3, Y3
	PACK(Y2, Y3, X3, (BX))
	ADDQ       $16, BX

next:
	SUBQ $16, CX
	JNZ  loop
	VZEROUPPER
	RET

// func scaleRow(sums, rests *int32, y *float32, n int, rowSums *int32, scales, biases *float32, scale float32, zero int32)
TEXT ·scaleRow(SB), NOSPLIT, $0-64
	MOVQ         sums+0(FP), SI
	MOVQ         rests+8(FP), BX
	MOVQ         y+16(FP), DI
	MOVQ         n+24(FP), CX
	MOVQ         rowSums+32(FP), R8
	MOVQ         scales+40(FP), R9
	MOVQ         biases+48(FP), R10
	VBROADCASTSS scale+56(FP), Y0
	VBROADCASTSS zero+60(FP), Y1
	VBROADCASTSS rests<>+4(SB), Y5
	VBROADCASTSS rests<>+8(SB), Y6
	XORQ         AX, AX

loop:
	VMOVDQU   (R8)(AX*4), Y4
	VPMULLD   Y4, Y1, Y2
	VMOVDQU   (SI)(AX*4), Y3
	VPSUBD    Y2, Y3, Y3
	VCVTDQ2PS Y3, Y3
	TESTQ     BX, BX
	JZ        rounded
	VPMULLD   Y4, Y5, Y2
	VMOVDQU   (BX)(AX*4), Y4
	VPSUBD    Y2, Y4, Y4
	VCVTDQ2PS Y4, Y4
	VMULPS    Y6, Y4, Y4
	VADDPS    Y4, Y3, Y3

rounded:
	VMULPS  (R9)(AX*4), Y3, Y3
	VMULPS  Y0, Y3, Y3
	VADDPS  (R10)(AX*4), Y3, Y3
	VMOVUPS Y3, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

#define ROW(at, low, high) \
	VBROADCASTSS at, Y10;          \
	VMULPS       Y8, Y10, Y11;     \
	VADDPS       Y11, low, low;    \
	VMULPS       Y9, Y10, Y12;     \
	VADDPS       Y12, high, high

#define STORE(at, next, low, high) \
	VMOVUPS low, at;    \
	VMOVUPS high, next

// func mulRows(a *float32, lda int, b *float32, ldb, k int, c *float32, ldc, columns int)
// Four rows of a and sixteen columns of b at a time.
TEXT ·mulRows(SB), NOSPLIT, $0-64
	MOVQ lda+8(FP), R8
	MOVQ b+16(FP), SI
	MOVQ ldb+24(FP), R10
	MOVQ c+40(FP), DI
	MOVQ ldc+48(FP), R11
	MOVQ columns+56(FP), DX
	SHLQ $2, R8
	SHLQ $2, R10
	SHLQ $2, R11
	LEAQ (R8)(R8*2), R9
	LEAQ (R11)(R11*2), R12

block:
	MOVQ  a+0(FP), AX
	MOVQ  SI, BX
	MOVQ  k+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

loop:
	VMOVUPS (BX), Y8
	VMOVUPS 32(BX), Y9
	ROW((AX), Y0, Y1)
	ROW((AX)(R8*1), Y2, Y3)
	ROW((AX)(R8*2), Y4, Y5)
	ROW((AX)(R9*1), Y6, Y7)
	ADDQ $4, AX
	ADDQ R10, BX
	DECQ CX
	JNZ  loop

	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R11*1), 32(DI)(R11*1), Y2, Y3)
	STORE((DI)(R11*2), 32(DI)(R11*2), Y4, Y5)
	STORE((DI)(R12*1), 32(DI)(R12*1), Y6, Y7)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, DX
	JNZ  block
	VZEROUPPER
	RET

// POWER turns x into 2^(x-most), most in Y0; DX has expTerms.
#define POWER(x, t, r, p) \
	VSUBPS       Y0, x, x;       \
	VMAXPS       Y1, x, x;       \
	VADDPS       Y2, x, t;       \
	VSUBPS       Y2, t, r;       \
	VSUBPS       r, x, r;        \
	VMULPS       Y3, r, p;       \
	VADDPS       Y4, p, p;       \
	VMULPS       r, p, p;        \
	VADDPS       Y5, p, p;       \
	VBROADCASTSS 20(DX), x;      \
	VMULPS       r, p, p;        \
	VADDPS       x, p, p;        \
	VBROADCASTSS 24(DX), x;      \
	VMULPS       r, p, p;        \
	VADDPS       x, p, p;        \
	VBROADCASTSS 28(DX), x;      \
	VMULPS       r, p, p;        \
	VADDPS       x, p, p;        \
	VPSLLD       $23, t, t;      \
	VPADDD       t, p, p

// func expRow(x *float32, n int, terms *float32, sums *float32)
TEXT ·expRow(SB), NOSPLIT, $0-32
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), CX
	MOVQ    terms+16(FP), DX
	MOVQ    sums+24(FP), DI
	MOVQ    SI, BX
	MOVQ    CX, AX
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1

most:
	VMAXPS (BX), Y0, Y0
	VMAXPS 32(BX), Y1, Y1
	ADDQ   $64, BX
	SUBQ   $16, AX
	JNZ    most

	VMAXPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VMAXPS       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VMAXPS       X1, X0, X0
	VBROADCASTSS X0, Y0
	VBROADCASTSS (DX), Y1
	VBROADCASTSS 4(DX), Y2
	VBROADCASTSS 8(DX), Y3
	VBROADCASTSS 12(DX), Y4
	VBROADCASTSS 16(DX), Y5
	VPXOR        Y6, Y6, Y6
	VPXOR        Y7, Y7, Y7

loop:
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y12
	POWER(Y8, Y9, Y10, Y11)
	POWER(Y12, Y13, Y14, Y15)
	VADDPS  Y11, Y6, Y6
	VADDPS  Y15, Y7, Y7
	VMOVUPS Y11, (SI)
	VMOVUPS Y15, 32(SI)
	ADDQ    $64, SI
	SUBQ    $16, CX
	JNZ     loop

	VMOVUPS Y6, (DI)
	VMOVUPS Y7, 32(DI)
	VZEROUPPER
	RET

#define TERM(at) \
	VBROADCASTSS at, Y8;      \
	VMULPS       Y3, Y4, Y4;  \
	VADDPS       Y8, Y4, Y4;  \
	VMULPS       Y6, Y7, Y7;  \
	VADDPS       Y8, Y7, Y7

// func geluRow(x *float32, n int, terms *float32)
TEXT ·geluRow(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         terms+16(FP), DX
	VPXOR        Y15, Y15, Y15
	VBROADCASTSS (DX), Y14
	VSUBPS       Y14, Y15, Y13
	VBROADCASTSS 4(DX), Y12
	VBROADCASTSS 8(DX), Y11
	VBROADCASTSS 12(DX), Y10
	VBROADCASTSS 16(DX), Y9

loop:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMAXPS  Y13, Y0, Y2
	VMINPS  Y14, Y2, Y2
	VMULPS  Y2, Y2, Y3
	VMAXPS  Y13, Y1, Y5
	VMINPS  Y14, Y5, Y5
	VMULPS  Y5, Y5, Y6
	VMULPS  Y3, Y10, Y4
	VADDPS  Y9, Y4, Y4
	VMULPS  Y6, Y10, Y7
	VADDPS  Y9, Y7, Y7
	TERM(20(DX))
	TERM(24(DX))
	TERM(28(DX))
	TERM(32(DX))
	TERM(36(DX))
	TERM(40(DX))
	TERM(44(DX))
	TERM(48(DX))
	VMULPS  Y2, Y4, Y4
	VADDPS  Y12, Y4, Y4
	VMULPS  Y5, Y7, Y7
	VADDPS  Y12, Y7, Y7
	VMAXPS  Y15, Y4, Y4
	VMINPS  Y11, Y4, Y4
	VMAXPS  Y15, Y7, Y7
	VMINPS  Y11, Y7, Y7
	VMULPS  Y4, Y0, Y0
	VMULPS  Y7, Y1, Y1
	VMOVUPS Y0, (SI)
	VMOVUPS Y1, 32(SI)
	ADDQ    $64, SI
	SUBQ    $16, CX
	JNZ     loop
	VZEROUPPER
	RET

// func addRow(x, y *float32, n int, sums *float32)
TEXT ·addRow(SB), NOSPLIT, $0-32
	MOVQ  x+0(FP), SI
	MOVQ  y+8(FP), DX
	MOVQ  n+16(FP), CX
	MOVQ  sums+24(FP), DI
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

loop:
	VMOVUPS (SI), Y2
	VMOVUPS 32(SI), Y3
	VADDPS  (DX), Y2, Y2
	VADDPS  32(DX), Y3, Y3
	VADDPS  Y2, Y0, Y0
	VADDPS  Y3, Y1, Y1
	VMOVUPS Y2, (SI)
	VMOVUPS Y3, 32(SI)
	ADDQ    $64, SI
	ADDQ    $64, DX
	SUBQ    $16, CX
	JNZ     loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET

// func squaresRow(x *float32, n int, mean float32, sums *float32)
TEXT ·squaresRow(SB), NOSPLIT, $0-32
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS mean+16(FP), Y6
	MOVQ         sums+24(FP), DI
	VPXOR        Y0, Y0, Y0
	VPXOR        Y1, Y1, Y1

loop:
	VMOVUPS (SI), Y2
	VMOVUPS 32(SI), Y3
	VSUBPS  Y6, Y2, Y2
	VSUBPS  Y6, Y3, Y3
	VMOVUPS Y2, (SI)
	VMOVUPS Y3, 32(SI)
	VMULPS  Y2, Y2, Y2
	VMULPS  Y3, Y3, Y3
	VADDPS  Y2, Y0, Y0
	VADDPS  Y3, Y1, Y1
	ADDQ    $64, SI
	SUBQ    $16, CX
	JNZ     loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET

// func normRow(x *float32, n int, by float32, scale, bias *float32)
TEXT ·normRow(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS by+16(FP), Y0
	MOVQ         scale+24(FP), R8
	MOVQ         bias+32(FP), R9
	XORQ         AX, AX

loop:
	VMULPS  (SI)(AX*4), Y0, Y1
	VMULPS  (R8)(AX*4), Y1, Y1
	VADDPS  (R9)(AX*4), Y1, Y1
	VMOVUPS Y1, (SI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET
