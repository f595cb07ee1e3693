---@brief
---
--- Memories about code, tied to the exact lines they came from, and a diagnostic while you type when these
--- lines change. |stilltrue| tells the rest.
---
--- ```lua
--- vim.lsp.enable('stilltrue')
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'stilltrue', 'lsp' },
  root_markers = { '.git' },
  workspace_required = true,
  init_options = { prompts = true, views = true, status = true },
  settings = { stilltrue = {} },
  capabilities = { workspace = { textDocumentContent = { dynamicRegistration = false } } },
  commands = {
    ['stilltrue.prompt.supersede'] = function(command, ctx)
      require('stilltrue.prompts').on_supersede(command, ctx)
    end,
    ['stilltrue.prompt.remember'] = function(command, ctx)
      require('stilltrue.prompts').on_remember(command, ctx)
    end,
    ['stilltrue.showChange'] = function(command, ctx)
      require('stilltrue.views').on_show_change(command, ctx)
    end,
    ['stilltrue.showHistory'] = function(command, ctx)
      require('stilltrue.views').on_show_history(command, ctx)
    end,
  },
  handlers = {
    ['stilltrue/status'] = function(_, counts, ctx)
      require('stilltrue.status').receive(counts, ctx)
    end,
    ['workspace/textDocumentContent/refresh'] = function(_, params)
      return require('stilltrue.pages').refresh(params)
    end,
  },
  on_exit = function(code, signal, client_id)
    vim.schedule(function()
      require('stilltrue.lifecycle').exited(code, signal, client_id)
    end)
  end,
}
