--- Which memory is meant: the one that is named, the one under the cursor, or one that is picked.
local server = require('stilltrue.server')
local text = require('stilltrue.text')

local M = {}

--- What cites a commit alone has no file: it goes by its own name.
---@param listing stilltrue.Listing
local function name_placeless(listing)
  for _, memory in ipairs(listing.memories) do
    for _, citation in ipairs(memory.citations) do
      citation.path = citation.path or ('%s %s'):format(citation.kind, citation.id)
    end
  end
end

--- Every live memory of the workspace.
---@param client vim.lsp.Client
---@param on_listing fun(listing: stilltrue.Listing)
function M.list(client, on_listing)
  server.run(client, 'list', nil, function(listing)
    name_placeless(listing)
    on_listing(listing)
  end)
end

---@param name string
---@return string
local function real(name)
  return vim.fs.normalize(vim.uv.fs_realpath(name) or name)
end

---@param citation stilltrue.Citation
---@param file string
---@param first integer
---@param last integer
---@return boolean
local function is_cited(citation, file, first, last)
  if not citation.uri or real(vim.uri_to_fname(citation.uri)) ~= file then
    return false
  end
  return not citation.startLine or (citation.startLine <= last and first <= citation.endLine)
end

--- The memories that cite some of these lines of a buffer (1-based, inclusive).
---@param memories stilltrue.Memory[]
---@param buffer integer
---@param first integer
---@param last integer
---@return stilltrue.Memory[]
function M.at(memories, buffer, first, last)
  local file = real(vim.api.nvim_buf_get_name(buffer))
  return vim.tbl_filter(function(memory)
    return vim.iter(memory.citations):any(function(citation)
      return is_cited(citation, file, first, last)
    end)
  end, memories)
end

--- Whether a memory needs a decision.
---@param memory stilltrue.Memory
---@return boolean
function M.needs_attention(memory)
  return memory.freshness ~= 'fresh' and not memory.snoozed
end

--- One line that tells a memory.
---@param memory stilltrue.Memory
---@return string
function M.title(memory)
  local title = ('%s: %s'):format(memory.id, text.short(memory.text, 80))
  if memory.snoozed then
    return ('%s (snoozed %s)'):format(title, text.line(memory.snoozed))
  end
  return memory.freshness == 'fresh' and title or ('%s (%s)'):format(title, text.line(memory.reason))
end

--- One of several memories, or the only one.
---@param memories stilltrue.Memory[]
---@param on_memory fun(memory: stilltrue.Memory)
function M.pick(memories, on_memory)
  if #memories == 1 then
    on_memory(memories[1])
    return
  end
  local options = { prompt = 'Which memory?', kind = 'stilltrue.memory', format_item = M.title }
  vim.ui.select(memories, options, function(memory)
    if memory then
      on_memory(memory)
    end
  end)
end

---@class stilltrue.Wanted
---@field buffer integer
---@field name? string `m1`, or nothing for what stands at the lines.
---@field first integer
---@field last integer
---@field among fun(memory: stilltrue.Memory): boolean What may be picked where none is at the lines.

--- Find the memory that is meant.
---@param client vim.lsp.Client
---@param wanted stilltrue.Wanted
---@param on_memory fun(memory: stilltrue.Memory)
function M.find(client, wanted, on_memory)
  M.list(client, function(listing)
    local found
    if wanted.name then
      found = vim.tbl_filter(function(memory)
        return memory.id == wanted.name
      end, listing.memories)
    else
      found = M.at(listing.memories, wanted.buffer, wanted.first, wanted.last)
      found = #found > 0 and found or vim.tbl_filter(wanted.among, listing.memories)
    end
    if #found == 0 then
      server.say(wanted.name and ('there is no memory %s here'):format(wanted.name) or 'no memory needs this')
      return
    end
    M.pick(found, on_memory)
  end)
end

--- Names of memories that begin like `lead`, for the command line.
---@param lead string
---@return string[]
function M.complete(lead)
  local client = server.client()
  local listing = client and server.ask(client, 'list')
  local names = vim.tbl_map(function(memory)
    return memory.id
  end, listing and listing.memories or {})
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

return M
