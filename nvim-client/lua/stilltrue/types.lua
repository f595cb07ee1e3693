---@meta

--- How many memories of a workspace there are of each kind.
---@class stilltrue.Counts
---@field memories integer
---@field fresh integer
---@field stale integer Their content or structure changed.
---@field cosmetic integer Other stale ones.
---@field unknown integer
---@field snoozed integer In no other count but `memories`.
---@field busy? boolean
---@field problem? string Why the store cannot be used.

--- Lines of a file, 1-based, both ends inclusive.
---@class stilltrue.Place
---@field uri? string
---@field path string
---@field startLine? integer
---@field endLine? integer

---@class stilltrue.Citation: stilltrue.Place
---@field id string
---@field uid string
---@field generation integer
---@field kind string
---@field uri? string None where it cites a commit alone.
---@field verdict 'fresh'|'moved'|'stale'|'unknown'
---@field code? string The code of its diagnostic.
---@field reason string
---@field view 'buffer'|'disk'
---@field canReverify boolean
---@field targets stilltrue.Place[]

---@class stilltrue.Memory
---@field id string
---@field uid string
---@field text string
---@field repository string
---@field freshness 'fresh'|'stale'|'unknown'
---@field kind? 'content'|'structural'|'cosmetic'
---@field reason string
---@field snoozed? string
---@field citations stilltrue.Citation[]

---@class stilltrue.Listing
---@field ok true
---@field counts stilltrue.Counts
---@field memories stilltrue.Memory[]

--- What changed under a citation.
---@class stilltrue.Change
---@field title string
---@field path string
---@field startLine integer
---@field endLine integer
---@field cited string
---@field now string
---@field diff? string

---@class stilltrue.History
---@field title string
---@field text string
---@field view string The uri of the memory's page.

---@class stilltrue.Found
---@field text string
---@field source string
---@field line integer
---@field places? stilltrue.Place[]
---@field why? string

---@class stilltrue.Imported
---@field imported integer
---@field known integer
---@field found stilltrue.Found[]
---@field refused stilltrue.Found[]

--- The one argument of the server's commands; each needs some of it.
---@class stilltrue.Argument
---@field uri? string
---@field citations? { uid: string, generation: integer }[]
---@field memory? string
---@field startLine? integer
---@field endLine? integer
---@field path? string
---@field text? string
---@field days? integer
---@field files? string[]
---@field dryRun? boolean
