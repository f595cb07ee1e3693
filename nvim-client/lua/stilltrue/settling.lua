--- Settles any memory, also where no code action is: of files that are closed or gone, and of fresh ones.
local prompts = require('stilltrue.prompts')
local server = require('stilltrue.server')
local text = require('stilltrue.text')
local views = require('stilltrue.views')

local M = {}

---@class stilltrue.Act
---@field title string
---@field run fun(client: vim.lsp.Client)

--- The argument that names a memory by one of its citations, or alone where it cites no file.
---@param memory stilltrue.Memory
---@param citation? stilltrue.Citation
---@return stilltrue.Argument
function M.argument(memory, citation)
  if not citation or not citation.uri then
    return { uri = memory.repository, memory = memory.uid, citations = {} }
  end
  return {
    uri = citation.uri,
    memory = memory.uid,
    citations = { { uid = citation.uid, generation = citation.generation } },
  }
end

---@param argument stilltrue.Argument
---@param more table
---@return stilltrue.Argument
local function with(argument, more)
  return vim.tbl_extend('force', argument, more)
end

---@param title string
---@param command string
---@param argument stilltrue.Argument
---@param done string
---@return stilltrue.Act
local function act(title, command, argument, done)
  return {
    title = title,
    run = function(client)
      server.run(client, command, argument, function(answer)
        if not answer.provisional then
          server.say(done)
        end
      end)
    end,
  }
end

---@param place stilltrue.Place
local function go_to(place)
  vim.cmd("normal! m'")
  vim.cmd.edit(vim.fn.fnameescape(vim.uri_to_fname(place.uri)))
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { math.min(place.startLine or 1, last), 0 })
end

---@param memory stilltrue.Memory
---@param citation stilltrue.Citation
---@return stilltrue.Act[]
local function acts_on_citation(memory, citation)
  local argument, where = M.argument(memory, citation), text.place(citation)
  local acts = {}
  if citation.canReverify and citation.verdict ~= 'fresh' then
    table.insert(acts, act('Still true: re-verify ' .. where, 'reverify', argument, 're-verified'))
  end
  for _, target in ipairs(citation.targets or {}) do
    local to = { startLine = target.startLine, endLine = target.endLine }
    to.path = target.path ~= citation.path and target.path or nil
    local title = ('Re-point %s to %s'):format(where, text.place(target))
    table.insert(acts, act(title, 'repoint', with(argument, to), 're-pointed'))
  end
  if citation.verdict == 'stale' then
    table.insert(acts, {
      title = 'Show what changed in ' .. where,
      run = function(client)
        views.ask_for_change(client, argument)
      end,
    })
  end
  if citation.uri and vim.uv.fs_stat(vim.uri_to_fname(citation.uri)) then
    table.insert(acts, {
      title = 'Go to ' .. where,
      run = function()
        go_to(citation)
      end,
    })
  end
  return acts
end

---@param memory stilltrue.Memory
---@param argument stilltrue.Argument
---@return stilltrue.Act[]
local function snoozes(memory, argument)
  if memory.snoozed then
    return { act('Wake it', 'snooze', with(argument, { days = 0 }), 'awake') }
  end
  if memory.freshness == 'fresh' then
    return {}
  end
  return {
    act('Snooze until its lines change', 'snooze', argument, 'snoozed until its lines change'),
    act('Snooze for 7 days', 'snooze', with(argument, { days = 7 }), 'snoozed for 7 days'),
  }
end

--- The citation that a memory's trouble comes from, or its first.
---@param memory stilltrue.Memory
---@return stilltrue.Citation?
function M.main_citation(memory)
  return vim.iter(memory.citations):find(function(citation)
    return citation.verdict ~= 'fresh' or citation.code ~= nil
  end) or memory.citations[1]
end

---@param memory stilltrue.Memory
---@return stilltrue.Act[]
local function feedback(memory)
  local argument = { uri = memory.repository, memory = memory.uid }
  return {
    act('I used this', 'used', argument, ('noted: %s was used'):format(memory.id)),
    act('This was right', 'right', argument, ('noted: %s was right'):format(memory.id)),
    act('This was wrong', 'wrong', argument, ('taken back: %s was not right'):format(memory.id)),
  }
end

--- What may be done with a memory.
---@param memory stilltrue.Memory
---@return stilltrue.Act[]
function M.acts(memory)
  local acts = {}
  for _, citation in ipairs(memory.citations) do
    vim.list_extend(acts, acts_on_citation(memory, citation))
  end
  local argument = M.argument(memory, M.main_citation(memory))
  table.insert(acts, {
    title = 'Supersede…',
    run = function(client)
      prompts.supersede(client, with(argument, { text = memory.text }))
    end,
  })
  table.insert(acts, act('Retract', 'retract', argument, 'retracted; :LspStillTrueUndo takes it back'))
  if #argument.citations > 0 then
    vim.list_extend(acts, snoozes(memory, argument))
  end
  vim.list_extend(acts, feedback(memory))
  table.insert(acts, {
    title = 'Show history',
    run = function(client)
      views.ask_for_history(client, argument)
    end,
  })
  return acts
end

--- Let the person choose what to do with a memory.
---@param client vim.lsp.Client
---@param memory stilltrue.Memory
function M.settle(client, memory)
  local options = {
    prompt = ('%s: %s'):format(memory.id, text.short(memory.text, 60)),
    kind = 'stilltrue.act',
    format_item = function(each)
      return each.title
    end,
  }
  vim.ui.select(M.acts(memory), options, function(chosen)
    if chosen then
      chosen.run(client)
    end
  end)
end

return M
