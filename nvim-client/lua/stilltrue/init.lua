--- What a configuration may call; nothing here needs a setup.
local M = {}

--- What needs attention, for a statusline: `StillTrue: 2 stale`, or nothing.
---
--- It holds no text of other people and no `%`, so it may stand in any statusline.
---@param buffer? integer The current one by default.
---@return string
function M.status(buffer)
  local status = require('stilltrue.status')
  local counts = status.counts(buffer)
  return counts and status.for_statusline(counts) or ''
end

--- The counts behind it, for a statusline of your own; nil where the server has told nothing.
---@param buffer? integer The current one by default.
---@return stilltrue.Counts?
function M.counts(buffer)
  return require('stilltrue.status').counts(buffer)
end

return M
