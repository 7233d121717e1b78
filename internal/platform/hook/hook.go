// Package hook is for the structs of functions by which a package asks and tells others that it does not import. They
// are given whole when the package's store is made, so that what follows from an event is said in one place: app.
package hook

import (
	"fmt"
	"reflect"
)

// Complete panics unless every function of a struct of hooks is set: a part that is not joined has to be seen at the
// start, and not when the first decision has no consequence.
func Complete(hooks any) {
	v := reflect.ValueOf(hooks)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Func && f.IsNil() {
			panic(fmt.Sprintf("hook: %s.%s is not set", v.Type(), v.Type().Field(i).Name))
		}
	}
}
