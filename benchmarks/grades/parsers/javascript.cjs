// What acorn reads in JavaScript, without places and comments: one JSON string a line in, one digest out.
const { createHash } = require("node:crypto");
const acorn = require("acorn");
const reader = acorn.Parser.extend(require("acorn-jsx")());

function read(text) {
  for (const sourceType of ["module", "script"]) {
    try {
      return reader.parse(text, { ecmaVersion: "latest", sourceType, allowHashBang: true, preserveParens: true });
    } catch { /* the other kind may do */ }
  }
  return null;
}

// a literal counts as it is written; its value may be nothing that JSON can say
const told = (key, value) => (key === "start" || key === "end" || (key === "value" && typeof value === "bigint") ? undefined : value);

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const tree = read(JSON.parse(line));
  console.log(tree ? createHash("sha1").update(JSON.stringify(tree, told)).digest("hex") : "-");
});
