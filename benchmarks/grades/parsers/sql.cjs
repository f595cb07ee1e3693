// What PostgreSQL's own parser reads, without places and comments: one JSON string a line in, one digest out.
const { createHash } = require("node:crypto");
const { parse } = require("libpg-query");

const PLACES = new Set(["location", "stmt_location", "stmt_len", "list_start", "list_end", "rexpr_list_start", "rexpr_list_end"]);
const told = (key, value) => (PLACES.has(key) ? undefined : value);

async function read(text) {
  try {
    return createHash("sha1").update(JSON.stringify(await parse(text), told)).digest("hex");
  } catch {
    return "-";
  }
}

(async () => {
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    console.log(await read(JSON.parse(line)));
  }
})();
