" other linters are not what is tested; users keep theirs
let g:ale_linters_explicit = 1
