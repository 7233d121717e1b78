// Package hooktest gives tests hooks that do nothing until a test sets them.
package hooktest

import "reflect"

// Late is a complete struct of hooks. Each calls what stands in held by then; where nothing does, nothing happens, and
// the answer is the zero value, or a function that does nothing.
func Late[T any](held *T) (hooks T) {
	from, to := reflect.ValueOf(held).Elem(), reflect.ValueOf(&hooks).Elem()
	for i := range to.NumField() {
		f, kind := from.Field(i), to.Field(i).Type()
		if kind.Kind() != reflect.Func {
			to.Field(i).Set(f)
			continue
		}
		to.Field(i).Set(reflect.MakeFunc(kind, func(args []reflect.Value) []reflect.Value {
			switch {
			case f.IsNil():
				return nothing(kind)
			case kind.IsVariadic():
				return f.CallSlice(args)
			}
			return f.Call(args)
		}))
	}
	return hooks
}

// nothing is what a hook of a kind answers that does nothing.
func nothing(kind reflect.Type) (answer []reflect.Value) {
	for i := range kind.NumOut() {
		out := reflect.Zero(kind.Out(i))
		if out.Kind() == reflect.Func {
			out = reflect.MakeFunc(out.Type(), func([]reflect.Value) []reflect.Value { return nothing(out.Type()) })
		}
		answer = append(answer, out)
	}
	return answer
}
