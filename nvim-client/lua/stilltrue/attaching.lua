--- What a buffer gets while StillTrue looks at it.
local commands = require('stilltrue.commands')

local M = {}

local GROUP = vim.api.nvim_create_augroup('stilltrue.lenses', {})

---@param buffer integer
local function keep_lenses_fresh(buffer)
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'CursorHold', 'InsertLeave' }, {
    group = GROUP,
    buffer = buffer,
    desc = 'Ask for code lenses anew',
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end,
  })
  vim.lsp.codelens.refresh({ bufnr = buffer })
end

---@param buffer integer
function M.attached(buffer)
  commands.create(buffer)
  if vim.g.stilltrue_codelens then
    keep_lenses_fresh(buffer)
  end
  if vim.g.stilltrue_inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
end

---@param buffer integer
function M.detached(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    commands.remove(buffer)
    vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  end
end

return M
