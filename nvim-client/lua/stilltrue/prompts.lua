--- Asks for texts.
local server = require('stilltrue.server')

local M = {}

--- A text that is longer than this is no pleasure on one line: it is written in a draft document.
local LONGEST_LINE = 400

---@param text string
---@return boolean
local function needs_draft(text)
  return #text > LONGEST_LINE or text:find('[\r\n]') ~= nil
end

---@param argument stilltrue.Argument
---@param text? string
---@return stilltrue.Argument
local function with_text(argument, text)
  local changed = vim.deepcopy(argument)
  changed.text = text
  return changed
end

--- Ask what takes a memory's place, beginning with the old text in `argument.text`.
---@param client vim.lsp.Client
---@param argument stilltrue.Argument
function M.supersede(client, argument)
  local old = argument.text or ''
  if needs_draft(old) then
    server.run(client, 'supersede', with_text(argument, nil))
    return
  end
  vim.ui.input({ prompt = 'Supersede by: ', default = old }, function(text)
    if text == nil then
      return
    end
    if vim.trim(text) == vim.trim(old) then
      server.say('the text is the same; nothing was changed')
      return
    end
    server.run(client, 'supersede', with_text(argument, text), function(answer)
      server.say(answer.id and ('superseded by %s'):format(answer.id) or 'superseded')
    end)
  end)
end

--- Ask what to remember about the lines in `argument`.
---@param client vim.lsp.Client
---@param argument stilltrue.Argument
function M.remember(client, argument)
  local function remember(text)
    if text == nil then
      return
    end
    server.run(client, 'remember', with_text(argument, text), function(answer)
      server.say(answer.id and ('remembered as %s'):format(answer.id) or 'remembered')
    end)
  end
  vim.ui.input({ prompt = 'Remember about these lines: ', default = argument.text }, remember)
end

--- Write the text of a new memory in a draft document, which the server opens.
---@param client vim.lsp.Client
---@param argument stilltrue.Argument
function M.remember_in_draft(client, argument)
  server.run(client, 'remember', with_text(argument, nil))
end

--- An action of the server that needs a text.
---@param command lsp.Command
---@param ctx { client_id: integer }
function M.on_supersede(command, ctx)
  M.supersede(assert(vim.lsp.get_client_by_id(ctx.client_id)), command.arguments[1])
end

---@param command lsp.Command
---@param ctx { client_id: integer }
function M.on_remember(command, ctx)
  M.remember(assert(vim.lsp.get_client_by_id(ctx.client_id)), command.arguments[1])
end

return M
