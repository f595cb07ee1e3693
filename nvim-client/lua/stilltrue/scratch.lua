--- Buffers that show something and belong to no file.
local M = {}

---@class stilltrue.Scratch
---@field name string Unique among buffers; an older one of the name is wiped out.
---@field lines string[]
---@field filetype? string

---@param name string
local function wipe_out(name)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == name then
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
  end
end

--- A buffer that can be read only and vanishes when it is left.
---@param scratch stilltrue.Scratch
---@return integer buffer
function M.buffer(scratch)
  wipe_out(scratch.name)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, scratch.name)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, scratch.lines)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = scratch.filetype or ''
  return buffer
end

--- Show a scratch buffer in a window below; `q` closes it.
---@param scratch stilltrue.Scratch
---@return integer buffer
function M.show(scratch)
  local buffer = M.buffer(scratch)
  vim.cmd('botright split')
  vim.api.nvim_win_set_buf(0, buffer)
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, nowait = true, desc = 'Close' })
  return buffer
end

return M
