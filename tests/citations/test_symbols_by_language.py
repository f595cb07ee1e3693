"""A symbol names whole lines in every carried language, or says why it cannot (E4, F14, K24)."""

from __future__ import annotations

from textwrap import dedent
from weakref import ref

import pytest

from stilltrue.citations.languages import LANGUAGES, Language, language_of
from stilltrue.citations.lines import Lines
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Reason

SAMPLES: dict[str, tuple[str, dict[str, tuple[int, int]]]] = {
    "a.py": (
        '''\
        import os

        LIMIT = 5


        @cached
        def retry(call):
            """Doc."""
            return call


        class Client:
            @property
            def name(self):
                return 1

            async def send(self):
                def inner():
                    return 2
                return inner
        ''',
        {"retry": (6, 9), "Client": (12, 20), "Client.name": (13, 15), "Client.send": (17, 20)},
    ),
    "a.js": (
        """\
        /** Says more. */
        export function retry(call) {
          return call;
        }

        class Client {
          send() {
            return 1;
          }
        }

        const later = () => {
          return 2;
        };
        """,
        {"retry": (1, 4), "Client": (6, 10), "Client.send": (7, 9), "later": (12, 14)},
    ),
    "a.ts": (
        """\
        export interface Wire {
          send(): void;
        }

        export class Client implements Wire {
          send(): void {
            return;
          }
        }

        type Name = string;

        enum Kind {
          A,
        }
        """,
        {"Wire": (1, 3), "Client": (5, 9), "Client.send": (6, 8), "Name": (11, 11), "Kind": (13, 15)},
    ),
    "a.tsx": (
        """\
        export function View(props: Props) {
          return <b>{props.name}</b>;
        }
        """,
        {"View": (1, 3)},
    ),
    "a.go": (
        """\
        package a

        // Retry tries again.
        func Retry(n int) int {
        \treturn n
        }

        type Client struct {
        \tname string
        }

        func (c *Client) Send() int {
        \treturn 1
        }
        """,
        {"Retry": (3, 6), "Client": (8, 10), "Client.Send": (12, 14)},
    ),
    "a.rs": (
        """\
        /// Tries again.
        #[inline]
        pub fn retry(n: i32) -> i32 {
            n
        }

        pub struct Client {
            name: String,
        }

        impl Client {
            pub fn send(&self) -> i32 {
                1
            }
        }
        """,
        {"retry": (1, 5), "Client": (7, 9), "Client.send": (12, 14)},
    ),
    "A.java": (
        """\
        /** A client. */
        public class Client {
            @Override
            public int send() {
                return 1;
            }
        }
        """,
        {"Client": (1, 7), "Client.send": (3, 6)},
    ),
    "a.c": (
        """\
        /* Tries again. */
        static int retry(int n)
        {
            return n;
        }

        struct client {
            int name;
        };
        """,
        {"retry": (1, 5), "client": (7, 9)},
    ),
    "a.cpp": (
        """\
        class Client {
        public:
            int name();
        };

        int Client::name() {
            return 1;
        }

        template <typename T>
        T twice(T value) {
            return value + value;
        }
        """,
        {"Client": (1, 4), "twice": (10, 13)},
    ),
    "a.cs": (
        """\
        public class Client
        {
            [Test]
            public int Send()
            {
                return 1;
            }
        }
        """,
        {"Client": (1, 8), "Client.Send": (3, 7)},
    ),
    "a.rb": (
        """\
        class Client
          def send_it
            1
          end
        end
        """,
        {"Client": (1, 5), "Client.send_it": (2, 4)},
    ),
    "a.php": (
        """\
        <?php
        function retry($n) {
            return $n;
        }

        class Client {
            public function send() {
                return 1;
            }
        }
        """,
        {"retry": (2, 4), "Client": (6, 10), "Client.send": (7, 9)},
    ),
    "a.sh": (
        """\
        retry() {
            echo again
        }
        """,
        {"retry": (1, 3)},
    ),
    "a.md": (
        """\
        # Guide

        Words.

        ## Install

        More words.

        ## Use

        The rest.
        """,
        {"Install": (5, 7), "Use": (9, 11)},
    ),
    "a.yaml": ("server:\n  port: 80\n  host: here\nother: 1\n", {"server": (1, 3), "server.port": (2, 2)}),
    "a.toml": (
        '[server]\nport = 80\n\n[client]\nname = "a"\n',
        {"server.port": (2, 2), "client.name": (5, 5)},
    ),
    "a.json": ('{\n  "server": {\n    "port": 80\n  }\n}\n', {"server": (2, 4), "server.port": (3, 3)}),
}
ROWS = [(path, name, lines) for path, (_, names) in SAMPLES.items() for name, lines in names.items()]


def text_of(path: str) -> Lines:
    return Lines(dedent(SAMPLES[path][0]).encode())


def test_every_carried_language_has_a_sample() -> None:
    assert {language.name for path in SAMPLES if (language := language_of(path))} == {
        language.name for language in LANGUAGES if not language.extra
    }


@pytest.mark.parametrize(("path", "name", "lines"), ROWS, ids=[f"{path}#{name}" for path, name, _ in ROWS])
def test_a_symbol_names_its_whole_lines(path: str, name: str, lines: tuple[int, int]) -> None:
    found = symbols_in(path, text_of(path)).look_up(name)
    assert found.obstacle is None
    assert [(span.start, span.end) for span in found.spans] == [lines]


@pytest.mark.parametrize("path", SAMPLES)
def test_a_name_that_is_not_there_is_missing(path: str) -> None:
    found = symbols_in(path, text_of(path)).look_up("no_such_name")
    assert (found.obstacle, list(found.spans)) == (None, [])


def test_two_of_one_name_are_told_apart_by_their_owners() -> None:
    one = "class {}:\n    def send(self):\n        return 1\n\n\n"
    text = Lines((one.format("A") + one.format("B")).encode())
    symbols = symbols_in("a.py", text)
    assert list(symbols.look_up("B.send").spans) == [Span(7, 8)]
    assert len(symbols.look_up("send").spans) == 2


def test_half_typed_text_cannot_tell_that_a_name_is_gone() -> None:
    """F14."""
    found = symbols_in("a.py", Lines(b"def other(:\n    return (\n\nx = [1,\n")).look_up("retry")
    assert found.obstacle is Reason.PARSE_INCOMPLETE


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.extra], ids=lambda each: each.name)
def test_a_language_of_the_extra_has_no_symbols(language: Language) -> None:
    """Its changes are graded; of a symbol the honest answer is that it cannot be told."""
    found = symbols_in("a" + language.suffixes[0], Lines(b"a\n"))
    assert found.resolve("a").obstacle is Reason.UNSUPPORTED_LANGUAGE
    assert found.look_up("a").obstacle is Reason.UNSUPPORTED_LANGUAGE
    assert found.enclosing(Span(1, 1)) is None


def test_a_file_of_no_carried_language_has_no_symbols() -> None:
    assert symbols_in("a.unknown", Lines(b"text\n")).look_up("a").obstacle is Reason.UNSUPPORTED_LANGUAGE


def test_the_symbols_of_a_text_are_let_go_with_it() -> None:
    """An editor's server sees a new text at every keystroke."""
    lines = Lines(b"def retry(call):\n    pass\n")
    gone = ref(lines)
    assert symbols_in("a.py", lines).look_up("retry").spans
    del lines
    assert gone() is None
