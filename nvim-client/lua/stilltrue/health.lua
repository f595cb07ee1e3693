--- `:checkhealth stilltrue`: what is missing and how to mend it.
local lifecycle = require('stilltrue.lifecycle')
local server = require('stilltrue.server')
local status = require('stilltrue.status')
local text = require('stilltrue.text')

local M = {}

local health = vim.health
local OLDEST = '0.1.0'
local PATIENCE_MS = 20000
local NEEDED = { 'stilltrue.list', 'stilltrue.check' }

---@param cmd string[]
---@param arguments string[]
---@return { code: integer, stdout: string, stderr: string }?
local function run(cmd, arguments)
  local whole = vim.list_extend(vim.list_slice(cmd, 1, #cmd - 1), arguments)
  local root = vim.fs.root(0, '.git') or vim.uv.cwd()
  local started, process = pcall(vim.system, whole, { text = true, cwd = root })
  if not started then
    return nil
  end
  return process:wait(PATIENCE_MS)
end

---@param ended { stderr: string }?
---@return string
local function last_words(ended)
  local words = ended and vim.split(vim.trim(ended.stderr or ''), '\n') or {}
  return text.line(words[#words] or '')
end

local function check_neovim()
  health.start('StillTrue: Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 0 then
    health.error(('Neovim %s is too old'):format(version), { 'install Neovim 0.11 or newer' })
    return false
  end
  health.ok('Neovim ' .. version)
  if lifecycle.is_enabled() then
    health.ok('enabled')
  else
    health.warn('not enabled', {
      "put vim.lsp.enable('stilltrue') into your configuration",
      'after several crashes it is switched off: :LspStillTrueRestart tries again',
    })
  end
  return true
end

---@param cmd string[]
---@return boolean
local function check_program(cmd)
  local program = vim.fn.exepath(cmd[1])
  if program == '' then
    health.error(('the program %s was not found'):format(cmd[1]), {
      'install it (Python 3.11 or newer): pip install ./stilltrue in a clone of the repository',
      'is it in a virtual environment? Name it: '
        .. "vim.lsp.config('stilltrue', { cmd = { '/path/to/stilltrue', 'lsp' } })",
    })
    return false
  end
  local ended = run(cmd, { '--version' })
  local version = ended and ended.code == 0 and vim.version.parse(ended.stdout)
  if not version then
    health.error(('%s does not tell its version: %s'):format(program, last_words(ended)), {
      'run it in a terminal: ' .. table.concat(cmd, ' '),
      'install it again: pip install --force-reinstall ./stilltrue',
    })
    return false
  end
  if vim.version.lt(version, OLDEST) then
    health.error(('%s is StillTrue %s, too old for this plugin'):format(program, version), {
      ('install StillTrue %s or newer'):format(OLDEST),
    })
    return false
  end
  health.ok(('%s is StillTrue %s'):format(program, version))
  return true
end

---@param cmd string[]
local function check_store(cmd)
  health.start('StillTrue: store and settings')
  local ended = run(cmd, { 'doctor', '--json' })
  local read, report = pcall(vim.json.decode, ended and ended.stdout or '', { luanil = { object = true } })
  if not read or type(report) ~= 'table' or not report.findings then
    health.error('stilltrue doctor could not be read: ' .. last_words(ended), { 'run it: stilltrue doctor' })
    return
  end
  for _, finding in ipairs(report.findings) do
    local what = ('%s: %s'):format(text.line(finding.what), text.line(finding.value))
    if finding.problem == '' then
      health.ok(what)
    else
      local advice = finding.hint ~= '' and { text.line(finding.hint) } or nil
      health.error(('%s: %s'):format(what, text.line(finding.problem)), advice)
    end
  end
end

---@param client vim.lsp.Client
local function check_client(client)
  health.ok(('runs in %s, for %d buffers'):format(client.root_dir or '?', vim.tbl_count(client.attached_buffers)))
  for _, command in ipairs(NEEDED) do
    if not server.offers(client, command) then
      health.error(('the server does not know %s'):format(command), {
        'it is older than this plugin: update it, then :LspStillTrueRestart',
      })
      return
    end
  end
  local listing = server.ask(client, 'list')
  local counts = listing and listing.counts
  if not counts then
    health.warn('the server did not tell its memories')
  elseif counts.problem then
    health.error('memories cannot be read: ' .. text.line(counts.problem))
  elseif counts.memories == 0 then
    health.info('nothing is remembered here yet: select lines and press gra, or :LspStillTrueImport')
  else
    health.ok(status.in_words(counts))
  end
end

local function check_clients()
  health.start('StillTrue: the server')
  local clients = vim.lsp.get_clients({ name = server.NAME })
  for _, client in ipairs(clients) do
    check_client(client)
  end
  if #clients == 0 then
    health.warn('it does not run', {
      'open a file in a git repository; files elsewhere are left alone',
      'what it wrote stands in the log: :LspStillTrueLog',
    })
  end
end

function M.check()
  if not check_neovim() then
    return
  end
  local config = vim.lsp.config[server.NAME]
  local cmd = config and config.cmd
  if type(cmd) == 'table' then
    if not check_program(cmd) then
      return
    end
    check_store(cmd)
  else
    health.info('the server is started by a function of yours')
  end
  check_clients()
end

return M
