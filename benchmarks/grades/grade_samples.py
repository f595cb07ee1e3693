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
SAMPLES = {"c": C, "cpp": CPP, "java": JAVA, "rust": RUST, "c_sharp": C_SHARP}
