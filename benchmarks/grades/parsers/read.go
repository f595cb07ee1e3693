// What go/parser reads, without places and comments: one JSON string a line in, one digest out.
package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"reflect"
)

var place = reflect.TypeOf(token.NoPos)

// told writes a value; of places only whether there is one, which tells `f(x...)` from `f(x)`.
func told(out io.Writer, value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface, reflect.Pointer:
		switch value.Interface().(type) {
		case *ast.Object, *ast.Scope, *ast.CommentGroup:
			return
		}
		if value.IsNil() {
			fmt.Fprint(out, "nil ")
			return
		}
		told(out, value.Elem())
	case reflect.Slice:
		fmt.Fprint(out, "[")
		for i := 0; i < value.Len(); i++ {
			told(out, value.Index(i))
		}
		fmt.Fprint(out, "]")
	case reflect.Struct:
		fmt.Fprintf(out, "(%s ", value.Type().Name())
		for i := 0; i < value.NumField(); i++ {
			switch value.Type().Field(i).Name {
			case "Comments", "Doc", "Comment", "Scope", "Unresolved", "Obj", "Package", "GoVersion", "FileStart", "FileEnd":
				continue
			}
			told(out, value.Field(i))
		}
		fmt.Fprint(out, ")")
	default:
		if value.Type() == place {
			fmt.Fprintf(out, "%v ", value.Int() != 0)
		} else {
			fmt.Fprintf(out, "%q ", fmt.Sprint(value.Interface()))
		}
	}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			panic(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution)
		if err != nil {
			fmt.Println("-")
			continue
		}
		digest := sha1.New()
		told(digest, reflect.ValueOf(tree))
		fmt.Printf("%x\n", digest.Sum(nil))
	}
}
