if vim.g.loaded_stilltrue then
  return
end
vim.g.loaded_stilltrue = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('StillTrue: Neovim 0.11 or newer is needed; the plugin stays off', vim.log.levels.ERROR)
  return
end

local group = vim.api.nvim_create_augroup('stilltrue', {})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  desc = 'Commands, lenses and hints for buffers that StillTrue looks at',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'stilltrue' then
      require('stilltrue.attaching').attached(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  desc = 'Take them away again',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'stilltrue' then
      require('stilltrue.attaching').detached(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = group,
  desc = 'Files without a filetype, and a server that cannot be started',
  callback = function(event)
    require('stilltrue.lifecycle').opened(event.buf)
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'memory:/*',
  desc = 'Memories as documents',
  callback = function(event)
    require('stilltrue.pages').read(event.buf)
  end,
})

vim.api.nvim_create_user_command('LspStillTrueRestart', function()
  require('stilltrue.lifecycle').restart()
end, { desc = 'Start the StillTrue server anew' })

vim.api.nvim_create_user_command('LspStillTrueLog', function()
  vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
end, { desc = 'Open the log that holds what the StillTrue server wrote' })
