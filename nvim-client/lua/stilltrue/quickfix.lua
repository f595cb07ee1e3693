--- Memories that need attention as a quickfix list, also of files that are not open.
local memories = require('stilltrue.memories')
local server = require('stilltrue.server')
local text = require('stilltrue.text')

local M = {}

local TITLE = 'Stale memories'
local TYPES = { stale = 'W', moved = 'I', unknown = 'N', fresh = 'I' }

---@type { id: integer, client_id: integer, all: boolean }?
local shown

---@param memory stilltrue.Memory
---@param citation stilltrue.Citation
---@return vim.quickfix.entry
local function entry(memory, citation)
  local file = citation.uri and vim.uri_to_fname(citation.uri)
  local what = ('%s: %s — %s'):format(memory.id, text.short(memory.text, 120), text.line(citation.reason))
  if not file then
    return { text = what, valid = 0, type = 'W' }
  end
  if not vim.uv.fs_stat(file) then
    return { text = ('%s (%s)'):format(what, text.place(citation)), valid = 0, type = 'W' }
  end
  return {
    filename = file,
    lnum = citation.startLine or 1,
    end_lnum = citation.endLine,
    col = 1,
    text = what,
    type = memory.kind == 'cosmetic' and 'I' or TYPES[citation.verdict],
    user_data = { memory = memory.uid },
  }
end

--- The entries of a listing; with `all`, those of fresh and snoozed memories, too.
---@param listing stilltrue.Listing
---@param all boolean
---@return vim.quickfix.entry[]
function M.entries(listing, all)
  local entries = {}
  for _, memory in ipairs(listing.memories) do
    for _, citation in ipairs(memory.citations) do
      if all or (memories.needs_attention(memory) and (citation.verdict ~= 'fresh' or citation.code)) then
        table.insert(entries, entry(memory, citation))
      end
    end
  end
  return entries
end

--- Fill the quickfix list and open it.
---@param client vim.lsp.Client
---@param all boolean
function M.open(client, all)
  memories.list(client, function(listing)
    local entries = M.entries(listing, all)
    if #entries == 0 then
      server.say(all and 'nothing is remembered here yet' or 'no memory needs attention')
      return
    end
    vim.fn.setqflist({}, ' ', { title = TITLE, items = entries })
    shown = { id = vim.fn.getqflist({ id = 0 }).id, client_id = client.id, all = all }
    vim.cmd('botright copen')
  end)
end

---@return boolean
local function is_visible()
  local list = shown and vim.fn.getqflist({ id = 0, winid = 0 })
  return list ~= nil and list.id == shown.id and list.winid ~= 0
end

--- Bring the list up to date while it is looked at.
---@param client_id integer
function M.renew(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client or not is_visible() or client_id ~= shown.client_id then
    return
  end
  memories.list(client, function(listing)
    if is_visible() then
      local place = vim.fn.getqflist({ id = shown.id, idx = 0 }).idx
      local entries = M.entries(listing, shown.all)
      vim.fn.setqflist({}, 'r', { id = shown.id, items = entries, idx = math.min(place, math.max(#entries, 1)) })
    end
  end)
end

return M
