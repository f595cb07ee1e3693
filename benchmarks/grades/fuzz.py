"""Changes of white space and comments in real syntax, graded by us and judged by compilers.

    python benchmarks/grades/fuzz.py [--rounds 400]

A text is changed at random places between any two characters: blanks, line breaks and comments come and go.
Where we grade the change *cosmetic*, the language's own compiler must make the very same of both texts;
anything else is a hidden change. Compilers that are not on this machine are left out, and named.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.grading import graded
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Span

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
INSERTED = (" ", "  ", "\n", "\t", " /* w */ ", " // w\n", "\n\n", "")


def compiled(command: list[str], name: str, output: str | None = None) -> Callable[[str], bytes | None]:
    """What a compiler makes of a text; None where it refuses it."""

    def make(text: str) -> bytes | None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_text(text)
            done = subprocess.run([*command, name], cwd=folder, capture_output=True, check=False)
            if done.returncode:
                return None
            return (Path(folder) / output).read_bytes() if output else done.stdout

    return make


ORACLES = {
    "c": ("a.c", C, compiled(["gcc", "-w", "-S", "-O0", "-o", "-"], "a.c")),
    "cpp": ("a.cpp", CPP, compiled(["g++", "-w", "-S", "-O0", "-o", "-"], "a.cpp")),
    "java": ("A.java", JAVA, compiled(["javac", "-g:none"], "A.java", "A.class")),
    "rust": (
        "a.rs",
        RUST,
        compiled(
            ["rustc", "--crate-type=lib", "--emit=mir", "-A", "warnings", "-o", "a.mir"], "a.rs", "a.mir"
        ),
    ),
}


def mutated(text: str, dice: random.Random) -> str:
    """The text with one to three small changes."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(text))
        if dice.random() < 0.5 and text[at].isspace():
            text = text[:at] + dice.choice(INSERTED) + text[at + 1 :]
        else:
            text = text[:at] + dice.choice(INSERTED) + text[at:]
    return text


def is_cosmetic(path: str, before: str, after: str) -> bool:
    """Whether we grade the change so, the whole text being cited."""
    old, new = Lines(before.encode()), Lines(after.encode())
    span = Span(1, old.count)
    baseline = span_baseline(old, span, encoding="utf-8", with_excerpt=True)
    return graded(sight(new, span, baseline), path, new, baseline).cosmetic is not None


def normal(name: str, made: bytes | None) -> bytes | None:
    """What a compiler made without the lines that name places in the source."""
    if made is None or name != "rust":
        return made
    import re  # noqa: PLC0415 - for one language

    return re.sub(rb"a\.rs:\d+:\d+: \d+:\d+", b"", made)


def fuzz(name: str, rounds: int) -> tuple[Counter[str], list[str]]:
    """Counts of what happened, and the texts whose change was hidden."""
    path, text, make = ORACLES[name]
    dice, counted, hidden = random.Random(name), Counter[str](), []  # noqa: S311 - the same every time
    wanted = normal(name, make(text))
    assert wanted is not None, f"{name}: the sample does not compile"
    while counted["tried"] < rounds:
        changed = mutated(text, dice)
        if changed == text:
            continue
        counted["tried"] += 1
        if is_cosmetic(path, text, changed):
            counted["cosmetic"] += 1
            if normal(name, make(changed)) != wanted:
                counted["hidden"] += 1
                hidden.append(changed)
    return counted, hidden


def main() -> int:
    """Fuzz each language whose compiler is here; 1 if any change was hidden."""
    parser = argparse.ArgumentParser(description="Cosmetic grades beside what compilers say.")
    parser.add_argument("--rounds", type=int, default=400)
    given = parser.parse_args()
    found = 0
    print("| language | tried | cosmetic | hidden |\n|---|---|---|---|")
    for name, compiler in (("c", "gcc"), ("cpp", "g++"), ("java", "javac"), ("rust", "rustc")):
        if shutil.which(compiler) is None:
            print(f"| {name} | {compiler} is not here | | |")
            continue
        counted, hidden = fuzz(name, given.rounds)
        print(f"| {name} | {counted['tried']} | {counted['cosmetic']} | {counted['hidden']} |")
        found += len(hidden)
        for text in hidden[:3]:
            print(text, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
