// What acorn reads in JavaScript, without places and comments: one JSON string a line in, one digest out. What the
// text in JSX says is told by the calls that Babel makes of it.
const { createHash } = require("node:crypto");
const acorn = require("acorn");
const babel = require("@babel/core");
const reader = acorn.Parser.extend(require("acorn-jsx")());

function read(text) {
  for (const sourceType of ["module", "script"]) {
    try {
      return reader.parse(text, { ecmaVersion: "latest", sourceType, allowHashBang: true, preserveParens: true });
    } catch { /* the other kind may do */ }
  }
  return null;
}

function calls(text) {
  const plugins = [[require("@babel/plugin-transform-react-jsx").default, { throwIfNamespace: false }]];
  return babel.transformSync(text, { plugins, configFile: false, babelrc: false, sourceType: "unambiguous" }).code;
}

// a literal counts as it is written; its value may be nothing that JSON can say
function told(key, value) {
  if (key === "start" || key === "end" || (key === "value" && typeof value === "bigint")) return undefined;
  if (key === "children" && Array.isArray(value)) return value.filter((each) => each.type !== "JSXText");
  return value;
}

function digest(text) {
  const out = [read(text)];
  if (!out[0]) return "-";
  try {
    if (/<\/|\/>/.test(text)) out.push(read(calls(text)));
  } catch {
    return "-";
  }
  return createHash("sha1").update(JSON.stringify(out, told)).digest("hex");
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(digest(JSON.parse(line)));
});
