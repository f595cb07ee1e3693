// What the TypeScript compiler reads, token by token with the shape, without places and comments. What it makes of
// the text in JSX is told by the calls that it puts out.
// One JSON string a line in, one digest out. Its first argument is the name that tells the dialect.
const { createHash } = require("node:crypto");
const ts = require("typescript");
const name = process.argv[2];

let jsx = false;

function calls(text) {
  const compilerOptions = { jsx: ts.JsxEmit.React, target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: name });
  const source = ts.createSourceFile("a.js", outputText, ts.ScriptTarget.Latest, true);
  const out = [];
  told(source, source, out);
  return out;
}

function told(node, source, out) {
  if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
  if (node.kind === ts.SyntaxKind.JsxElement || node.kind === ts.SyntaxKind.JsxFragment) jsx = true;
  const children = node.getChildren(source);
  out.push("(", ts.SyntaxKind[node.kind]);
  if (!children.length) out.push(node.getText(source));
  for (const child of children) {
    if (child.kind !== ts.SyntaxKind.JsxText) told(child, source, out);
  }
  out.push(")");
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const text = JSON.parse(line);
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const out = [];
  jsx = false;
  if (!source.parseDiagnostics.length) told(source, source, out);
  if (jsx) out.push(...calls(text));
  console.log(out.length ? createHash("sha1").update(JSON.stringify(out)).digest("hex") : "-");
});
