--- How the server comes up, and what happens when it does not.
local server = require('stilltrue.server')
local status = require('stilltrue.status')

local M = {}

local MOST_CRASHES = 3
local CRASH_WINDOW_MS = 3 * 60 * 1000
local STOP_PATIENCE_MS = 3000
local STOP_POLL_MS = 50

---@type integer[] When the server crashed, in milliseconds.
local crashes = {}
local told_missing = false

---@param config vim.lsp.Config
---@return string? program The program that cannot be started.
function M.missing_program(config)
  local cmd = config.cmd
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    return cmd[1]
  end
end

---@return boolean
function M.is_enabled()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(server.NAME)
  end
  -- the first releases of 0.11 have no such function
  return vim.tbl_get(vim.lsp, '_enabled_configs', server.NAME) ~= nil
end

---@param config vim.lsp.Config
---@param buffer integer
local function start(config, buffer)
  local ready = vim.deepcopy(config)
  if type(ready.root_dir) == 'function' then
    ready.root_dir(buffer, function(root)
      ready.root_dir = root
      vim.lsp.start(ready, { bufnr = buffer, reuse_client = ready.reuse_client })
    end)
    return
  end
  ready.root_dir = ready.root_dir or vim.fs.root(buffer, ready.root_markers or {})
  vim.lsp.start(ready, { bufnr = buffer, reuse_client = ready.reuse_client })
end

---@param buffer integer
local function look_at(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= '' or not M.is_enabled() then
    return
  end
  local config = vim.lsp.config[server.NAME]
  local program = M.missing_program(config)
  if program then
    if not told_missing and vim.fs.root(buffer, config.root_markers or {}) then
      told_missing = true
      server.say(('%s was not found; see :checkhealth stilltrue'):format(program), vim.log.levels.WARN)
    end
  elseif vim.bo[buffer].filetype == '' and not config.filetypes then
    start(config, buffer)
  end
end

--- A file was opened. `vim.lsp.enable` waits for its filetype; some have none.
---@param buffer integer
function M.opened(buffer)
  vim.schedule(function()
    look_at(buffer)
  end)
end

---@return integer
local function now()
  return math.floor(vim.uv.hrtime() / 1e6)
end

--- The server ended. Neovim tells of a crash; after several in a row it is not started again.
---@param code integer
---@param signal integer
---@param client_id integer
function M.exited(code, signal, client_id)
  if vim.v.exiting ~= vim.NIL then
    return
  end
  status.forget(client_id)
  if code == 0 and (signal == 0 or signal == 15) then
    return
  end
  table.insert(crashes, now())
  crashes = vim.tbl_filter(function(at)
    return now() - at < CRASH_WINDOW_MS
  end, crashes)
  if #crashes >= MOST_CRASHES then
    vim.lsp.enable(server.NAME, false)
    local message = 'the server ended %d times and is not started again; see :checkhealth stilltrue, '
      .. 'then :LspStillTrueRestart'
    server.say(message:format(#crashes), vim.log.levels.ERROR)
  end
end

---@param waited integer
local function start_once_ended(waited)
  local running = vim.lsp.get_clients({ name = server.NAME })
  if #running == 0 then
    vim.lsp.enable(server.NAME)
    return
  end
  if waited >= STOP_PATIENCE_MS then
    for _, client in ipairs(running) do
      client:stop(true)
    end
  end
  vim.defer_fn(function()
    start_once_ended(waited + STOP_POLL_MS)
  end, STOP_POLL_MS)
end

--- Start the server anew, whether it runs or not.
function M.restart()
  crashes, told_missing = {}, false
  vim.lsp.enable(server.NAME, false)
  for _, client in ipairs(vim.lsp.get_clients({ name = server.NAME })) do
    if not client:is_stopped() then
      client:stop()
    end
  end
  start_once_ended(0)
end

return M
