-- What the Lua of a Neovim makes of a text, its bytecode without places: one JSON string a line in, one digest out.
for line in io.lines() do
  -- what a file begins with is for the system
  local text = vim.json.decode(line):gsub("^#[^\n]*", "")
  local made = loadstring(text)
  io.write(made and vim.fn.sha256(vim.base64.encode(string.dump(made, "sd"))) or "-", "\n")
  io.flush()
end
