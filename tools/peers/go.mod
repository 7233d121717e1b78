module preceptor/tools/peers

go 1.26.0

require (
	github.com/asg017/sqlite-vec-go-bindings v0.1.6
	github.com/mattn/go-sqlite3 v1.14.52
	github.com/philippgille/chromem-go v0.7.0
)
