--- The way to the server, and what is said to the person.
local text = require('stilltrue.text')

local M = {}

M.NAME = 'stilltrue'
local CANCELLED = -32800

---@param message string
---@param level? integer
function M.say(message, level)
  vim.notify('StillTrue: ' .. text.line(message), level or vim.log.levels.INFO)
end

--- The client of a buffer; where it has none, as in a view, any.
---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer)
  local attached = vim.lsp.get_clients({ name = M.NAME, bufnr = buffer or vim.api.nvim_get_current_buf() })
  return attached[1] or vim.lsp.get_clients({ name = M.NAME })[1]
end

---@param client vim.lsp.Client
---@param command string
---@return boolean
function M.offers(client, command)
  local provider = client.server_capabilities.executeCommandProvider
  return provider ~= nil and vim.list_contains(provider.commands, command)
end

---@param command string
---@param argument? stilltrue.Argument
---@return lsp.ExecuteCommandParams
local function request_of(command, argument)
  local object = argument and next(argument) and argument or vim.empty_dict()
  return { command = command, arguments = { object } }
end

--- Run a command of the server. Where it refuses, the server has told the person.
---@param client vim.lsp.Client
---@param command string Its name without `stilltrue.`
---@param argument? stilltrue.Argument
---@param on_answer? fun(answer: table) Called when it was done.
---@return integer? request What `client:cancel_request` takes.
function M.run(client, command, argument, on_answer)
  local name = 'stilltrue.' .. command
  if not M.offers(client, name) then
    M.say('the server is too old for this; see :checkhealth stilltrue', vim.log.levels.WARN)
    return nil
  end
  local _, request = client:request('workspace/executeCommand', request_of(name, argument), function(err, answer)
    if err and err.code == CANCELLED then
      M.say('cancelled')
    elseif err then
      M.say(err.message, vim.log.levels.ERROR)
    elseif answer and answer.ok and on_answer then
      on_answer(answer)
    end
  end)
  return request
end

--- Run a command of the server and wait for a moment; nil where there is no answer.
---@param client vim.lsp.Client
---@param command string
---@param argument? stilltrue.Argument
---@return table?
function M.ask(client, command, argument)
  local name = 'stilltrue.' .. command
  if not M.offers(client, name) then
    return nil
  end
  local answer = client:request_sync('workspace/executeCommand', request_of(name, argument), 2000)
  return answer and answer.result or nil
end

return M
