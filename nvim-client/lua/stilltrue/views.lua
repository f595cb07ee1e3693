--- Shows what changed as a diff, and histories.
local scratch = require('stilltrue.scratch')
local server = require('stilltrue.server')
local text = require('stilltrue.text')

local M = {}

---@param window integer
---@param label string
local function name_window(window, label)
  vim.wo[window][0].winbar = text.in_statusline(label)
end

---@param change stilltrue.Change
---@param side string
---@param content string
---@return integer buffer
local function side_buffer(change, side, content)
  local buffer = scratch.buffer({
    name = ('stilltrue://%s/%s'):format(side, text.place(change)),
    lines = text.lines(content),
    filetype = vim.filetype.match({ filename = change.path }),
  })
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = buffer, nowait = true, desc = 'Close' })
  return buffer
end

--- Open the text as cited and as it is now beside each other, in a tab of their own; `q` closes it.
---@param change stilltrue.Change
function M.show_change(change)
  if change.cited == '' and (change.diff or '') == '' then
    server.say('the text as cited was not kept; the history of the repository has it')
    return
  end
  vim.cmd('tab split')
  local now = side_buffer(change, 'now', change.now)
  local cited = side_buffer(change, 'as cited', change.cited)
  vim.api.nvim_win_set_buf(0, cited)
  name_window(0, 'as cited · ' .. change.title)
  vim.cmd.diffthis()
  vim.cmd('rightbelow vsplit')
  vim.api.nvim_win_set_buf(0, now)
  name_window(0, 'now · ' .. text.place(change))
  vim.cmd.diffthis()
end

--- Show how a memory came to be: its page, or its text where the server has no pages.
---@param client vim.lsp.Client
---@param history stilltrue.History
function M.show_history(client, history)
  if history.view and require('stilltrue.pages').offered(client) then
    vim.cmd.split({ vim.fn.fnameescape(history.view), mods = { split = 'botright' } })
    return
  end
  scratch.show({
    name = 'stilltrue://history/' .. text.short(history.title or 'memory', 60),
    lines = text.lines(history.text),
    filetype = 'markdown',
  })
end

---@param client vim.lsp.Client
---@param argument stilltrue.Argument
function M.ask_for_change(client, argument)
  server.run(client, 'showChange', argument, M.show_change)
end

---@param client vim.lsp.Client
---@param argument stilltrue.Argument
function M.ask_for_history(client, argument)
  server.run(client, 'showHistory', argument, function(history)
    M.show_history(client, history)
  end)
end

--- An action of the server that shows something.
---@param command lsp.Command
---@param ctx { client_id: integer }
function M.on_show_change(command, ctx)
  M.ask_for_change(assert(vim.lsp.get_client_by_id(ctx.client_id)), command.arguments[1])
end

---@param command lsp.Command
---@param ctx { client_id: integer }
function M.on_show_history(command, ctx)
  M.ask_for_history(assert(vim.lsp.get_client_by_id(ctx.client_id)), command.arguments[1])
end

return M
