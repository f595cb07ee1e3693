// What Scalameta reads in Scala, without places and comments: one JSON string a line in, one digest out.
const { createHash } = require("node:crypto");
const { parseSource } = require("scalameta-parsers");

const told = (key, value) => (key === "pos" ? undefined : value);

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const tree = parseSource(JSON.parse(line), "Scala3");
  console.log(tree.error ? "-" : createHash("sha1").update(JSON.stringify(tree, told)).digest("hex"));
});
