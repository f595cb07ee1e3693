// What css-tree reads in CSS, without places and comments: one JSON string a line in, one digest out.
const { createHash } = require("node:crypto");
const css = require("css-tree");

function read(text) {
  let sound = true;
  const tree = css.parse(text, { parseCustomProperty: true, onParseError: () => { sound = false; } });
  return sound ? css.toPlainObject(tree) : null;
}

// the value of a custom property is read by scripts as it is written
function customProperties(text) {
  const found = [];
  css.walk(css.parse(text), (node) => {
    if (node.type === "Declaration" && node.property.startsWith("--")) found.push(node.value.value);
  });
  return found;
}

const told = (key, value) => (key === "loc" ? undefined : Array.isArray(value) ? value.filter((each) => each.type !== "Comment") : value);

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const text = JSON.parse(line);
  const tree = read(text);
  console.log(tree ? createHash("sha1").update(JSON.stringify([tree, customProperties(text)], told)).digest("hex") : "-");
});
