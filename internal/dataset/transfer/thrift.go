package transfer

import "encoding/binary"

// thrift writes structs in Thrift's compact protocol, in which Parquet describes itself. Fields go in ascending order,
// at most 15 apart.
type thrift struct {
	b    []byte
	last byte   // field that was written
	over []byte // last fields of the structs around this one
}

// The types of fields.
const (
	thriftSmall  = 5 // 32 bits
	thriftNumber = 6 // 64 bits
	thriftText   = 8
	thriftList   = 9
	thriftStruct = 12
)

func (t *thrift) field(id, kind byte) {
	t.b = append(t.b, (id-t.last)<<4|kind)
	t.last = id
}

func (t *thrift) zigzag(v int64) { t.b = binary.AppendVarint(t.b, v) }

func (t *thrift) small(id byte, v int64) {
	t.field(id, thriftSmall)
	t.zigzag(v)
}

func (t *thrift) number(id byte, v int) {
	t.field(id, thriftNumber)
	t.zigzag(int64(v))
}

func (t *thrift) bytes(v string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(v))), v...)
}

// list is followed by its n elements.
func (t *thrift) list(id, kind byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 0xf0|kind), uint64(n))
}

// begin opens a struct that is a field, element one that is in a list; end closes both, and the outermost.
func (t *thrift) begin(id byte) {
	t.field(id, thriftStruct)
	t.element()
}

func (t *thrift) element() { t.over, t.last = append(t.over, t.last), 0 }

func (t *thrift) end() {
	t.b = append(t.b, 0)
	if n := len(t.over); n > 0 {
		t.last, t.over = t.over[n-1], t.over[:n-1]
	}
}
