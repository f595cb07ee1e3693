// What the TypeScript compiler reads, token by token with the shape, without places and comments.
// One JSON string a line in, one digest out. Its first argument is the name that tells the dialect.
const { createHash } = require("node:crypto");
const ts = require("typescript");
const name = process.argv[2];

function told(node, source, out) {
  if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
  const children = node.getChildren(source);
  out.push("(", ts.SyntaxKind[node.kind]);
  if (node.kind === ts.SyntaxKind.JsxText) out.push(node.getFullText(source));
  else if (!children.length) out.push(node.getText(source));
  for (const child of children) told(child, source, out);
  out.push(")");
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const source = ts.createSourceFile(name, JSON.parse(line), ts.ScriptTarget.Latest, true);
  const out = [];
  if (!source.parseDiagnostics.length) told(source, source, out);
  console.log(out.length ? createHash("sha1").update(JSON.stringify(out)).digest("hex") : "-");
});
