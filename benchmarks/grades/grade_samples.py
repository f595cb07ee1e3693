"""Small programs that compile by themselves, dense with what white space may break."""

from __future__ import annotations

C = """#include <stddef.h>
#define TWICE(x) ((x) * 2)
#define NAME "a  b"
static const char *const names[] = {"one /* not a comment */", NAME, "three\\\n"};
struct pair { int a, b; };
/* adds */
int add(int a, int b) { return a + +b - -a; } // and more
int count(struct pair *p, size_t n) {
  int sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += p[i].a *p[i].b; /* product */
    if (sum > 100 && names[0][0] == 'o') sum <<= 1;
    else sum = TWICE(sum) % 7;
  }
  return sum;
}
"""
CPP = (
    C.replace("#include <stddef.h>", "#include <cstddef>\nusing std::size_t;")
    + """
template <typename T> struct Box { T value; T get() const { return value; } };
int unpack(Box<Box<int> > box) { auto f = [&](int x) { return x + box.get().get(); }; return f(1); }
const char *raw() { return R"(a  /* b */
 c)"; }
"""
)
JAVA = """class A {
    static final String NAME = "a  b // c";
    int value = 3;
    /* adds */
    int add(int a, int b) { return a + +b - -a; } // and more
    int count(int[] p) {
        int sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += p[i] * value; /* product */
            if (sum > 100 && NAME.length() > 2) sum >>= 1; else sum = sum % 7;
        }
        return sum;
    }
}
"""
RUST = """pub struct Pair { pub a: i32, pub b: i32 }
/* adds */
pub fn add(a: i32, b: i32) -> i32 { a + b - -a } // and more
pub fn count(p: &[Pair]) -> i32 {
    let mut sum = 0;
    for each in p.iter() {
        sum += each.a * each.b; /* product */
        if sum > 100 && "a  b // c".len() > 2 { sum <<= 1; } else { sum %= 7; }
    }
    let all = vec![1, 2, 3];
    sum + all.len() as i32
}
"""
C_SHARP = """using System;
#region numbers
class A {
    const string Name = "a  b // c";
    string raw = @"x
  y // z", told = $"{1 + 1}  /* no */ {Name}";
    int value = 3;
    /* adds */
    int Add(int a, int b) { return a + +b - -a; } // and more
    int Count(int[] p) {
        int sum = 0;
        for (int i = 0; i < p.Length; i++) {
            sum += p[i] * value; /* product */
            if (sum > 100 && Name.Length > 2) sum >>= 1; else sum = sum % 7;
        }
        Func<int, int> twice = x => x * 2;
        int? none = null;
        return twice(sum) + (none ?? 0) + (sum > 1 ? 2 : 3);
    }
}
#endregion
"""
CSS = """/* the page */
@charset "utf-8";
@import url("a  b.css") screen;
:root { --gap: 1px  2px; --raw: a   b; }
.a .b > c:hover, a:not(.x .y)::before { color : red; margin : -1px calc(1px + -2px) 3px; /* inner */ }
.a.b[data-x = "y  z"] { background: url(data:image/png;base64,AAA=) no-repeat, url( 'x' ); }
@media screen and (min-width: 1px), print {
  ul>li+li~p { content: "/* no */"; font: 1em/2 a, "b c" !important } }
@font-face{font-family:x;src:url(a.woff)format("woff")}
@keyframes k { from { top: 0 } 50% , 60% { top: 1e3px } to{top:+.5px} }
"""
HCL = """# the machine
terraform {
  required_version = ">= 1.5"
}
resource "a" "b" { // beside
  count = var.on ? 1 : 0 /* inner */
  sum   = (1 + 2) * -3 % 4
  name  = "x  ${var.name}  # no %{ if var.on }y%{ endif }"
  list = [
    1, # one
    2,
    "three",
  ]
  map = { a = 1, "b" = local.c["d"], e = f(g, h) }
  text = <<-EOT
    line  # no
      ${var.name} /* no */
  EOT
  all = [for k, v in var.map : upper(k) if v != ""]
  dynamic "tag" {
    for_each = !var.on && true ? [] : a.b[*].c
    content { key = tag.value }
  }
}
"""
HTML = """<!DOCTYPE html>
<!-- the page says this -->
<html><head><title>A  b</title>
<style> /* <!-- no --> */ p > b { color: red } </style>
<script>const a = "<!-- no -->"; // </p>
</script></head>
<body class="a  b" data-x='<!-- no -->'>
<p>Some <b>bold</b> <!-- a remark here --> text
  and <i>more</i><!-- glued on both sides -->, too.
<pre>  kept
   <!-- inside of it -->
</pre>
<table><!-- rows come below --><tr><td>1</table>
<ul> <li>one <li>two <!-- and no more --> </ul>
</body></html>
"""
KOTLIN = """package a.b
import c.d as e
/* the limit */
class Client<T : Any>(private val most: Int, var name: String = "a  b // c") {
    val twice get() = most * 2 // and no more
    fun send(a: Int, vararg rest: Int): Boolean {
        /* inner */ val sum = rest.map { it + a }.filter { x -> x > 1 }
        if (a < 41 && name != "/* no */") return true else println("$a ${a + 1}")
        for (i in 0..most) { sum.toList() }
        val told = when (a) {
            1, 2 -> "few" // some
            in 3..9 -> "more"
            else -> name ?: "none"
        }
        return told.length
            .compareTo(1) > 0
    }
}
"""
LUA = """-- the limits
local M, most = {}, 0x10 .. ''
local text = [==[ a  -- no
  b ]] ]==] .. "c  -- no" .. 'd\\\n' .. [[ e ]]
--[[ inner
  remark ]]
function M.within(a, ...)
  local rest = { a, b = 2; [1] = ..., }
  if a < 41 and not (a == - -1) then return true, a.b end -- and no more
  for i = 1, #rest do most = most .. 1 .. i end
  for k, v in pairs(rest) do rest[k] = v ^ 2 end
  goto done
  ::done::
  local f = (function(x) return x and -x or x end)
  f 'a' { 1 } [[b]]
  return f(a)
end
function M:each() while true do break end; repeat local x = self.a:b() until x end
return M
"""
SCALA = """package a.b
import c.{d => e, _}
/* the limit */
class Client[T <: AnyRef](private val most: Int, name: String = "a  b // c") extends Base with More {
  val twice = most * 2 // and no more
  def send(a: Int)(implicit x: X): Boolean = {
    /* inner */ val sum = List(1, 2).map(_ + a) filter { x => x > 1 }
    if (a < 41 && name != "/* no */") true else { println(s"$a ${a + 1}"); false }
    a match {
      case 1 | 2 => "few" // some
      case n if n > 2 => \"\"\"more
        // no\"\"\"
      case _ => -n
    }
  }
  /* /* nested */ still */
  def all: Seq[Int] = for { x <- 1 to 3; y = x } yield x + y
}
object Client { type A = Int; val + = 1 }
""".replace("\\", "")
SQL = """-- the limits are here
CREATE TABLE limits (id int PRIMARY KEY, name varchar(10) DEFAULT 'a  -- no', most numeric(4, 1));
SELECT l.id, 'b /* no */' AS b, count(*) /* of them */ FROM limits l -- all of them
  LEFT JOIN others o ON o.id = l.id AND o.x <> -1
  WHERE l.name LIKE 'x%' AND (most - 1 > 2 OR most IN (1, 2)) /* inner
  remark */ GROUP BY l.id ORDER BY 1 DESC;
INSERT INTO limits (id, name) VALUES (1, 'it''s'), (2, "c");
-- and no more
UPDATE limits SET most = most - -1 WHERE id = 1;
"""
JSX = """const page = (
  <Main.Part title="a  b" {...rest} on={() => f(1)}>
    Some text, and
      more of it &nbsp; here // no comment
    {/* a comment */} {name} tail
    <b>bold</b> <i>italic</i>{" "}
    <>
      one {two}
    </>
    <br/>
    last &amp; least
  </Main.Part>
);
const few = a < b ? <i>x</i> : <j:k l-m='n' />;
export default page;
"""
MAKE = """# what is built
CC ?= cc # the compiler
FLAGS := -O2 -DNAME='"a\\#b"' # how
LONG = one \\
  two # three
.PHONY: all clean
all: main.o $(patsubst %.c,%.o,$(PARTS)) # in order
\t@echo "# no comment" # said by the shell
\t# this line, too
\t$(CC) $(FLAGS) -o $@ $^
ifdef DEBUG # only then
FLAGS += -g
else # else
FLAGS += -s
endif
define BODY
# no comment either
echo $(1)
endef
clean: ; rm -f *.o # all of them
main.o: FLAGS += -Wall # here alone
# the end
"""
SWIFT = (
    """import Foundation
/* the /* inner */ limits */
/// How often.
public struct Limits<Item: Equatable> where Item: Sendable {
    let most = 0x29, name = "a  b // \\(1 /* one */ + 2)"
    var text: String { """
    '"""'
    """
        // no comment
          /* nor this */
        """
    '"""'
    """ } // text
    static let raw = #"a /* b */ \\(c)"#
    @available(iOS 15, *) // since then
    func send(_ a: Int, to b: [Item]? = nil, with: (Int) -> Int = { $0 - -1 }) throws -> Int {
        guard let b = b, !b.isEmpty else { return -a } // nothing
        let sum = /* inner */ b.map { item in a /* c */ - 1 }.reduce(0, +)
        if a < most && sum > 1 ? true : false { return sum }
        switch a {
        case 1, 2: // few
            fallthrough
        case 3...: return sum >> 1
        default: break // none
        }
        let found = b
            // the first
            .first
        print(found as Any, a&+1) // only then
        return a -
            1
    }
}
infix operator **: MultiplicationPrecedence // power
"""
)
SAMPLES = {
    "javascript": JSX,
    "tsx": JSX,
    "c": C,
    "cpp": CPP,
    "java": JAVA,
    "rust": RUST,
    "c_sharp": C_SHARP,
    "css": CSS,
    "hcl": HCL,
    "html": HTML,
    "kotlin": KOTLIN,
    "lua": LUA,
    "make": MAKE,
    "scala": SCALA,
    "sql": SQL,
    "swift": SWIFT,
}
