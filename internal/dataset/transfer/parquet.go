package transfer

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
)

// What of Parquet a file of ours needs (https://parquet.apache.org/docs/file-format/): columns of texts, numbers and
// flags that every row has, lists one level deep, one page for each column of a row group, plain values under gzip.
const (
	parquetBool, parquetInt64, parquetText = 0, 2, 6 // physical types

	required, repeated   = 0, 2
	none, asText, asList = -1, 0, 3 // converted types

	levelsRLE = 3
	underGzip = 2
)

// parquetColumn holds a column's values until the row group is written.
type parquetColumn struct {
	path   []string // from the root; a list's is its name, "list", "element"
	kind   int64
	listed bool
	n      int    // values, an empty list counting as one
	data   []byte // as the page has them
	starts []byte // of a list: 0 where a row begins, 1 where it goes on
	exists []byte // of a list: 0 for an empty one
}

// parquetFile takes the columns in the order in which each row gives them; the first row names them.
type parquetFile struct {
	columns []*parquetColumn
	next    int // the column that the row gives next
	rows    int // of the row group
	total   int
	offset  int // in the file
	groups  []thrift
}

func (f *parquetFile) column(kind int64, path ...string) *parquetColumn {
	if f.next == len(f.columns) {
		f.columns = append(f.columns, &parquetColumn{path: path, kind: kind, listed: len(path) > 1})
	}
	f.next++
	return f.columns[f.next-1]
}

func (f *parquetFile) endRow() {
	f.next = 0
	f.rows++
}

func (f *parquetFile) text(name, v string) { f.column(parquetText, name).text(v) }

func (f *parquetFile) flag(name string, v bool) {
	c := f.column(parquetBool, name)
	if c.n%8 == 0 {
		c.data = append(c.data, 0)
	}
	if v {
		c.data[c.n/8] |= 1 << (c.n % 8)
	}
	c.n++
}

func (c *parquetColumn) text(v string) {
	c.data = append(binary.LittleEndian.AppendUint32(c.data, uint32(len(v))), v...)
	c.n++
}

func (c *parquetColumn) number(v int64) {
	c.data = binary.LittleEndian.AppendUint64(c.data, uint64(v))
	c.n++
}

// parquetList gives a row's list to a column.
func parquetList[T any](c *parquetColumn, list []T, put func(T)) {
	if len(list) == 0 {
		c.starts, c.exists = append(c.starts, 0), append(c.exists, 0)
		c.n++
	}
	for i, v := range list {
		c.starts, c.exists = append(c.starts, byte(min(i, 1))), append(c.exists, 1)
		put(v)
	}
}

// runs are levels of 0 and 1 as their run lengths, after how many bytes that takes.
func runs(levels []byte) []byte {
	out := make([]byte, 4)
	for i := 0; i < len(levels); {
		n := 1
		for i+n < len(levels) && levels[i+n] == levels[i] {
			n++
		}
		out = append(binary.AppendUvarint(out, uint64(n)<<1), levels[i])
		i += n
	}
	binary.LittleEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

// flush writes the rows so far as a row group.
func (f *parquetFile) flush(b *bytes.Buffer) error {
	if f.rows == 0 {
		return nil
	}
	f.begin(b)
	from, plain := b.Len(), 0
	var group thrift
	group.list(1, thriftStruct, len(f.columns))
	for _, c := range f.columns {
		at := f.offset + b.Len() - from
		page := c.data
		if c.listed {
			page = append(append(runs(c.starts), runs(c.exists)...), c.data...)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(page); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		head := pageHead(len(page), packed.Len(), c.n)
		b.Write(head)
		b.Write(packed.Bytes())
		plain += len(head) + len(page)
		group.column(c, at, len(head)+len(page), len(head)+packed.Len())
	}
	group.number(2, plain)
	group.number(3, f.rows)
	group.end()
	f.groups = append(f.groups, group)
	f.offset += b.Len() - from
	f.total += f.rows
	f.forget()
	return nil
}

// forget makes room for the next row group.
func (f *parquetFile) forget() {
	f.rows = 0
	for _, c := range f.columns {
		c.n, c.data, c.starts, c.exists = 0, c.data[:0], c.starts[:0], c.exists[:0]
	}
}

func pageHead(plain, packed, values int) []byte {
	var t thrift
	t.small(1, 0) // a page of data
	t.small(2, int64(plain))
	t.small(3, int64(packed))
	t.begin(5)
	t.small(1, int64(values))
	t.small(2, 0) // plain values
	t.small(3, levelsRLE)
	t.small(4, levelsRLE)
	t.end()
	t.end()
	return t.b
}

// column says where a column's page lies and how long it is.
func (t *thrift) column(c *parquetColumn, at, plain, packed int) {
	t.element()
	t.number(2, at)
	t.begin(3)
	t.small(1, c.kind)
	t.list(2, thriftSmall, 2)
	t.zigzag(0) // plain values
	t.zigzag(levelsRLE)
	t.list(3, thriftText, len(c.path))
	for _, name := range c.path {
		t.bytes(name)
	}
	t.small(4, underGzip)
	t.number(5, c.n)
	t.number(6, plain)
	t.number(7, packed)
	t.number(9, at)
	t.end()
	t.end()
}

const parquetMagic = "PAR1"

// end writes what is left, and the footer by which the file is read.
func (f *parquetFile) end(b *bytes.Buffer) error {
	if err := f.flush(b); err != nil {
		return err
	}
	f.begin(b)
	var nodes, t thrift
	top, all := nodes.schema(f.columns, 0)
	t.small(1, 1) // the format's version
	t.list(2, thriftStruct, all+1)
	t.node("row", required, top, none)
	t.b = append(t.b, nodes.b...)
	t.number(3, f.total)
	t.list(4, thriftStruct, len(f.groups))
	for _, g := range f.groups {
		t.b = append(t.b, g.b...)
	}
	t.field(6, thriftText)
	t.bytes("preceptor")
	t.end()
	b.Write(t.b)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(t.b))))
	b.WriteString(parquetMagic)
	return nil
}

// begin starts the file, before what is written first.
func (f *parquetFile) begin(b *bytes.Buffer) {
	if f.offset == 0 {
		b.WriteString(parquetMagic)
		f.offset = len(parquetMagic)
	}
}

// schema writes the tree whose leaves the columns are, each node before what is in it: how many nodes stand at the top,
// and how many there are.
func (t *thrift) schema(columns []*parquetColumn, depth int) (top, all int) {
	for len(columns) > 0 {
		c, n := columns[0], 1
		for n < len(columns) && columns[n].path[depth] == c.path[depth] {
			n++
		}
		if depth == len(c.path)-1 {
			t.leaf(c)
			all++
		} else {
			var nodes thrift
			children, below := nodes.schema(columns[:n], depth+1)
			repetition, converted := int64(required), int64(none)
			switch depth {
			case 0:
				converted = asList
			case 1:
				repetition = repeated
			}
			t.node(c.path[depth], repetition, children, converted)
			t.b = append(t.b, nodes.b...)
			all += below + 1
		}
		top++
		columns = columns[n:]
	}
	return top, all
}

// node is a group of columns: the row, a list, what is repeated in it, or a struct.
func (t *thrift) node(name string, repetition int64, children int, converted int64) {
	t.element()
	t.small(3, repetition)
	t.field(4, thriftText)
	t.bytes(name)
	t.small(5, int64(children))
	if converted != none {
		t.small(6, converted)
	}
	t.end()
}

func (t *thrift) leaf(c *parquetColumn) {
	t.element()
	t.small(1, c.kind)
	t.small(3, required)
	t.field(4, thriftText)
	t.bytes(c.path[len(c.path)-1])
	if c.kind == parquetText {
		t.small(6, asText)
	}
	t.end()
}
