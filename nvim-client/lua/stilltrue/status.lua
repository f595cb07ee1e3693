--- How many memories need attention, as the server tells it.
local M = {}

---@type table<integer, stilltrue.Counts> By client.
local told = {}

---@param client_id integer
local function announce(client_id)
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'StillTrueStatus',
    modeline = false,
    data = { client_id = client_id, counts = told[client_id] },
  })
  vim.cmd.redrawstatus({ bang = true })
end

---@param counts stilltrue.Counts
---@param ctx lsp.HandlerContext
function M.receive(counts, ctx)
  told[ctx.client_id] = counts
  announce(ctx.client_id)
  require('stilltrue.quickfix').renew(ctx.client_id)
end

---@param client_id integer
function M.forget(client_id)
  if told[client_id] then
    told[client_id] = nil
    announce(client_id)
  end
end

---@param buffer? integer
---@return stilltrue.Counts?
function M.counts(buffer)
  local client = require('stilltrue.server').client(buffer)
  return client and told[client.id]
end

--- Counts in words: `5 memories: 3 fresh, 1 stale, 1 cannot tell`.
---@param counts stilltrue.Counts
---@return string
function M.in_words(counts)
  local parts = {}
  for _, kind in ipairs({ 'fresh', 'stale', 'cosmetic', 'unknown', 'snoozed' }) do
    if (counts[kind] or 0) > 0 then
      table.insert(parts, ('%d %s'):format(counts[kind], kind == 'unknown' and 'cannot tell' or kind))
    end
  end
  local memories = counts.memories == 1 and '1 memory' or ('%d memories'):format(counts.memories)
  return #parts > 0 and ('%s: %s'):format(memories, table.concat(parts, ', ')) or memories
end

--- Counts for a statusline: nothing where nothing needs attention. Only our own words, never other people's.
---@param counts stilltrue.Counts
---@return string
function M.for_statusline(counts)
  if counts.problem then
    return 'StillTrue: no store'
  end
  local parts = {}
  if counts.stale + counts.cosmetic > 0 then
    table.insert(parts, ('%d stale'):format(counts.stale + counts.cosmetic))
  end
  if counts.unknown > 0 then
    table.insert(parts, ('%d cannot tell'):format(counts.unknown))
  end
  if #parts == 0 then
    return ''
  end
  return ('StillTrue: %s%s'):format(table.concat(parts, ', '), counts.busy and '…' or '')
end

return M
