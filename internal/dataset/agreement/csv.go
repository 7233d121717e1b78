package agreement

import (
	"errors"
	"io"
	"slices"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/table"
)

// ReadCSV reads a table: the first line names the raters, each other line is an item, a blank cell is a missing label.
// ignore names columns that are no raters; order is as for Builder.Table. An error that the file is to blame for has
// kind Invalid and names the line.
func ReadCSV(r io.Reader, ignore, order []string) (*Table, error) {
	sheet := table.NewSheet(r)
	names, err := sheet.Names()
	switch {
	case fault.Is(err, fault.Invalid):
		return nil, fault.New(fault.Invalid,
			"The file can't be read: %s. Its first line must name the raters, a column each.", fault.Message(err))
	case err != nil:
		return nil, err
	case len(names) > MaxRaters:
		return nil, fault.New(fault.Invalid, "Line 1: there are %d columns; %d is the most.", len(names), MaxRaters)
	}
	for _, name := range ignore {
		if !slices.Contains(names, name) {
			return nil, fault.New(fault.Invalid, "There is no column %q to ignore.", name)
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(ignore, name) })
	b := NewBuilder(names)
	for {
		row, err := sheet.Next()
		switch {
		case errors.Is(err, io.EOF):
			return b.Table(order...)
		case err != nil:
			return nil, err
		case row.Err == nil:
			row.Err = b.Add(lists.Map(names, func(name string) string { return row.Cells[name] })...)
		}
		if row.Err != nil {
			return nil, fault.New(fault.Invalid, "Line %d: %s", row.Line, row.Err)
		}
	}
}
