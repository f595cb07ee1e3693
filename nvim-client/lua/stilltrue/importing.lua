--- Takes explicit places out of Markdown: first shown, then imported.
local scratch = require('stilltrue.scratch')
local server = require('stilltrue.server')
local text = require('stilltrue.text')

local M = {}

---@param found stilltrue.Found
---@return string
local function found_line(found)
  local places = vim.tbl_map(text.place, found.places or {})
  return ('- %s (%s:%d) cites %s'):format(text.line(found.text), found.source, found.line, table.concat(places, ', '))
end

---@param refused stilltrue.Found
---@return string
local function refused_line(refused)
  return ('- %s (%s:%d): %s'):format(text.line(refused.text), refused.source, refused.line, text.line(refused.why))
end

---@param preview stilltrue.Imported
local function show(preview)
  local lines = { '# To be imported', '' }
  vim.list_extend(lines, vim.tbl_map(found_line, preview.found))
  if #preview.refused > 0 then
    vim.list_extend(lines, { '', '# Refused', '' })
    vim.list_extend(lines, vim.tbl_map(refused_line, preview.refused))
  end
  scratch.show({ name = 'stilltrue://import', lines = lines, filetype = 'markdown' })
end

---@param count integer
---@return string
local function memories(count)
  return count == 1 and '1 memory' or ('%d memories'):format(count)
end

---@param client vim.lsp.Client
---@param argument stilltrue.Argument
local function import(client, argument)
  server.run(client, 'import', argument, function(answer)
    server.say(('imported %s, %d known before'):format(memories(answer.imported), answer.known))
  end)
end

---@param client vim.lsp.Client
---@param argument stilltrue.Argument
---@param preview stilltrue.Imported
local function confirm(client, argument, preview)
  local new = #preview.found - preview.known
  local yes = ('Import %s'):format(memories(new))
  local look = ('Show them and what was refused (%d)'):format(#preview.refused)
  local options = { prompt = 'Import into StillTrue?', kind = 'stilltrue.import' }
  vim.ui.select({ yes, look, 'Cancel' }, options, function(choice)
    if choice == yes then
      import(client, argument)
    elseif choice == look then
      show(preview)
    end
  end)
end

--- Look what may be imported, ask, and import.
---@param client vim.lsp.Client
---@param uri string A document of the repository that is meant.
---@param files string[] Markdown files; none for AGENTS.md and the like.
function M.run(client, uri, files)
  local argument = { uri = uri }
  if #files > 0 then
    argument.files = vim.tbl_map(function(file)
      return vim.uri_from_fname(vim.fn.fnamemodify(file, ':p'))
    end, files)
  end
  server.run(client, 'import', vim.tbl_extend('force', argument, { dryRun = true }), function(preview)
    local new = #preview.found - preview.known
    if new > 0 then
      confirm(client, argument, preview)
    elseif #preview.refused > 0 then
      show(preview)
    else
      local known = preview.known > 0
      server.say(known and 'everything was imported before' or 'no places such as src/a.py:10-20 were found')
    end
  end)
end

return M
