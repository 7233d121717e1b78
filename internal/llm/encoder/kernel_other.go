//go:build !amd64

package encoder

func kernels() []*kernel { return []*kernel{&plain} }
