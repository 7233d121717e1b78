#include "textflag.h"

// func sumAVX2(codes, table *byte, pairs int, sums *[32]uint16)
// Adds up the table's entries for 32 rows: a shuffle looks 32 of them up at once. Bytes are added as 16-bit words, once with
// their neighbour above and once the neighbour alone, and parted at the end.
TEXT ·sumAVX2(SB), NOSPLIT, $0-32
	MOVQ codes+0(FP), SI
	MOVQ table+8(FP), DX
	MOVQ pairs+16(FP), CX
	MOVQ sums+24(FP), DI
	MOVL $0x0f0f0f0f, AX
	MOVQ AX, X15
	VPBROADCASTD X15, Y15
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

loop:
	VMOVDQU (SI), Y0
	VMOVDQU (DX), Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y15, Y0, Y0
	VPAND   Y15, Y2, Y2
	VPSHUFB Y0, Y1, Y0
	VPSHUFB Y2, Y1, Y2
	VPADDW  Y0, Y4, Y4
	VPSRLW  $8, Y0, Y0
	VPADDW  Y0, Y5, Y5
	VPADDW  Y2, Y6, Y6
	VPSRLW  $8, Y2, Y2
	VPADDW  Y2, Y7, Y7
	ADDQ    $32, SI
	ADDQ    $32, DX
	DECQ    CX
	JNZ     loop

	VPSLLW       $8, Y5, Y8
	VPSUBW       Y8, Y4, Y4
	VPSLLW       $8, Y7, Y8
	VPSUBW       Y8, Y6, Y6
	VEXTRACTI128 $1, Y4, X8
	VPADDW       X8, X4, X4
	VEXTRACTI128 $1, Y5, X8
	VPADDW       X8, X5, X5
	VEXTRACTI128 $1, Y6, X8
	VPADDW       X8, X6, X6
	VEXTRACTI128 $1, Y7, X8
	VPADDW       X8, X7, X7
	VPUNPCKLWD   X5, X4, X8
	VPUNPCKHWD   X5, X4, X9
	VPUNPCKLWD   X7, X6, X10
	VPUNPCKHWD   X7, X6, X11
	VMOVDQU      X8, (DI)
	VMOVDQU      X9, 16(DI)
	VMOVDQU      X10, 32(DI)
	VMOVDQU      X11, 48(DI)
	VZEROUPPER
	RET
