--- Memories as documents: `memory:/UID/m1.md`, read only, made by the server.
local server = require('stilltrue.server')
local text = require('stilltrue.text')

local M = {}

local CONTENT = 'workspace/textDocumentContent'

--- Whether the server has such documents.
---@param client vim.lsp.Client
---@return boolean
function M.offered(client)
  return vim.tbl_get(client.server_capabilities, 'workspace', 'textDocumentContent') ~= nil
end

---@param buffer integer
---@param lines string[]
local function fill(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
end

---@param client vim.lsp.Client
---@param buffer integer
---@return string[]
local function content(client, buffer)
  local uri = vim.api.nvim_buf_get_name(buffer)
  local answer = client:request_sync(CONTENT, { uri = uri }, 5000)
  local found = vim.tbl_get(answer or {}, 'result', 'text')
  return found and text.lines(found) or { 'This memory cannot be shown.' }
end

--- Fill the buffer of a `memory:` document; `gd` goes to the lines that are cited under the cursor.
---@param buffer integer
function M.read(buffer)
  local client = server.client()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  if not client or not M.offered(client) then
    fill(buffer, { 'This memory cannot be shown: the StillTrue server does not run here.' })
    return
  end
  fill(buffer, content(client, buffer))
  vim.bo[buffer].filetype = 'markdown'
  vim.lsp.buf_attach_client(buffer, client.id)
  vim.keymap.set('n', 'gd', vim.lsp.buf.definition, { buffer = buffer, desc = 'Go to the cited lines' })
end

--- The server's document changed.
---@param params { uri: string }
---@return vim.NIL
function M.refresh(params)
  local client = server.client()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if client and vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == params.uri then
      vim.schedule(function()
        fill(buffer, content(client, buffer))
      end)
    end
  end
  return vim.NIL
end

return M
