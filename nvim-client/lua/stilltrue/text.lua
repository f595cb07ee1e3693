--- Other people's text made fit to be shown: it obeys nothing and is obeyed by nothing.
local M = {}

local C1_CONTROLS = '\194[\128-\159]'
local DIRECTION_MARKS = { '\226\128[\142\143\168-\174]', '\226\129[\166-\169]' }

--- The text on one line, without control characters and marks that turn the writing direction.
---@param text string
---@return string
function M.line(text)
  local safe = text:gsub('%c', ' '):gsub(C1_CONTROLS, ' ')
  for _, marks in ipairs(DIRECTION_MARKS) do
    safe = safe:gsub(marks, '')
  end
  return (vim.trim(safe):gsub('%s+', ' '))
end

--- The text cut to so many characters.
---@param text string
---@param limit integer
---@return string
function M.short(text, limit)
  local line = M.line(text)
  return vim.fn.strchars(line) > limit and vim.fn.strcharpart(line, 0, limit - 1) .. '…' or line
end

--- The text as the value of a statusline, winbar or title option, where `%` would begin an item.
---@param text string
---@return string
function M.in_statusline(text)
  return (M.line(text):gsub('%%', '%%%%'))
end

--- The lines of a text, for a buffer.
---@param text string
---@return string[]
function M.lines(text)
  return vim.split((text:gsub('\r\n?', '\n')), '\n', { plain = true })
end

--- A place as people write it, `src/a.py:10-20`.
---@param place stilltrue.Place
---@return string
function M.place(place)
  local path = M.line(place.path)
  if not place.startLine then
    return path
  end
  if place.endLine == place.startLine then
    return ('%s:%d'):format(path, place.startLine)
  end
  return ('%s:%d-%d'):format(path, place.startLine, place.endLine)
end

return M
