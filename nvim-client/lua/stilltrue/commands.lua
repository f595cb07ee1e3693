--- The commands of a buffer that StillTrue looks at.
local importing = require('stilltrue.importing')
local memories = require('stilltrue.memories')
local prompts = require('stilltrue.prompts')
local quickfix = require('stilltrue.quickfix')
local scratch = require('stilltrue.scratch')
local server = require('stilltrue.server')
local settling = require('stilltrue.settling')
local status = require('stilltrue.status')
local text = require('stilltrue.text')
local views = require('stilltrue.views')

local M = {}

---@alias stilltrue.Command fun(client: vim.lsp.Client, call: vim.api.keyset.create_user_command.command_args)

---@type table<integer, integer> The check that runs, by client.
local checks = {}

---@type stilltrue.Command
local function check(client, call)
  if call.bang then
    if checks[client.id] then
      client:cancel_request(checks[client.id])
    end
    return
  end
  checks[client.id] = server.run(client, 'check', nil, function(answer)
    checks[client.id] = nil
    server.say(answer.cancelled and 'the check was cancelled' or status.in_words(answer.counts))
  end)
end

---@return string
local function current_uri()
  return vim.uri_from_bufnr(0)
end

---@type stilltrue.Command
local function remember(client, call)
  local argument = { uri = current_uri(), startLine = call.line1, endLine = call.line2 }
  if call.args ~= '' then
    argument.text = call.args
  end
  if call.bang then
    prompts.remember_in_draft(client, argument)
  elseif argument.text then
    server.run(client, 'remember', argument, function(answer)
      server.say(('remembered as %s'):format(answer.id))
    end)
  else
    prompts.remember(client, argument)
  end
end

---@param call vim.api.keyset.create_user_command.command_args
---@param name string
---@param among fun(memory: stilltrue.Memory): boolean
---@return stilltrue.Wanted
local function wanted(call, name, among)
  local buffer = vim.api.nvim_get_current_buf()
  local first, last = call.line1, call.line2
  return { buffer = buffer, name = name ~= '' and name or nil, first = first, last = last, among = among }
end

---@type stilltrue.Command
local function settle(client, call)
  memories.find(client, wanted(call, call.args, memories.needs_attention), function(memory)
    settling.settle(client, memory)
  end)
end

---@return boolean
local function any()
  return true
end

---@type stilltrue.Command
local function history(client, call)
  memories.find(client, wanted(call, call.args, any), function(memory)
    views.ask_for_history(client, settling.argument(memory, settling.main_citation(memory)))
  end)
end

---@type stilltrue.Command
local function snooze(client, call)
  local days = call.args ~= '' and tonumber(call.args) or nil
  if call.args ~= '' and (not days or days < 0 or days % 1 ~= 0) then
    server.say('give a whole number of days, 0 to wake it, or nothing', vim.log.levels.ERROR)
    return
  end
  memories.find(client, wanted(call, '', memories.needs_attention), function(memory)
    local argument = settling.argument(memory, settling.main_citation(memory))
    argument.days = days
    server.run(client, 'snooze', argument, function()
      local till = days == 0 and 'awake' or days and ('snoozed for %d days'):format(days)
      server.say(('%s: %s'):format(memory.id, till or 'snoozed until its lines change'))
    end)
  end)
end

---@type stilltrue.Command
local function undo(client)
  server.run(client, 'undo', { uri = current_uri() }, function(answer)
    server.say(answer.undone and ('%s was taken back'):format(answer.undone) or 'taken back')
  end)
end

---@type stilltrue.Command
local function doctor(client)
  server.run(client, 'doctor', { uri = current_uri() }, function(answer)
    scratch.show({ name = 'stilltrue://doctor', lines = text.lines(answer.text) })
  end)
end

---@type table<string, { run: stilltrue.Command, options: vim.api.keyset.user_command }>
local COMMANDS = {
  Check = { run = check, options = { bang = true, desc = 'Judge every memory of the workspace; ! stops it' } },
  Quickfix = {
    run = function(client, call)
      quickfix.open(client, call.bang)
    end,
    options = { bang = true, desc = 'List stale memories in the quickfix list; ! lists all' },
  },
  Remember = {
    run = remember,
    options = { bang = true, range = true, nargs = '?', desc = 'Remember something about these lines; ! in a draft' },
  },
  Settle = {
    run = settle,
    options = {
      range = true,
      nargs = '?',
      complete = memories.complete,
      desc = 'Choose what to do with a memory, here or by name',
    },
  },
  History = {
    run = history,
    options = { range = true, nargs = '?', complete = memories.complete, desc = 'Show how a memory came to be' },
  },
  Snooze = {
    run = snooze,
    options = { range = true, nargs = '?', desc = 'Silence a memory for days, or until its lines change' },
  },
  Import = {
    run = function(client, call)
      importing.run(client, current_uri(), call.fargs)
    end,
    options = { nargs = '*', complete = 'file', desc = 'Import memories from AGENTS.md and the like' },
  },
  Undo = { run = undo, options = { desc = 'Take back the last act on this repository' } },
  Doctor = { run = doctor, options = { desc = 'Report on store, repository and settings' } },
}

--- Give a buffer its commands.
---@param buffer integer
function M.create(buffer)
  for name, command in pairs(COMMANDS) do
    vim.api.nvim_buf_create_user_command(buffer, 'LspStillTrue' .. name, function(call)
      local client = server.client(buffer)
      if client then
        command.run(client, call)
      end
    end, command.options)
  end
end

--- Take them away.
---@param buffer integer
function M.remove(buffer)
  for name in pairs(COMMANDS) do
    pcall(vim.api.nvim_buf_del_user_command, buffer, 'LspStillTrue' .. name)
  end
end

return M
