(function_definition declarator: [
  (function_declarator declarator: (identifier) @name parameters: (_) @signature)
  (pointer_declarator (function_declarator declarator: (identifier) @name parameters: (_) @signature))
  (pointer_declarator (pointer_declarator
    (function_declarator declarator: (identifier) @name parameters: (_) @signature)))]) @definition
(declaration declarator: [
  (function_declarator declarator: (identifier) @name parameters: (_) @signature)
  (pointer_declarator (function_declarator declarator: (identifier) @name parameters: (_) @signature))]) @declaration
[(struct_specifier name: (_) @name body: (_))
 (union_specifier name: (_) @name body: (_))
 (enum_specifier name: (_) @name body: (_))
 (type_definition declarator: (type_identifier) @name)
 (type_definition declarator: (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name))))
 (preproc_def name: (_) @name)
 (preproc_function_def name: (_) @name)
 (enumerator name: (_) @name)
 (field_declaration declarator: (field_identifier) @name)
 (field_declaration declarator: (pointer_declarator (field_identifier) @name))
 (field_declaration declarator: (array_declarator (field_identifier) @name))] @definition
(declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (pointer_declarator (identifier) @name)
  (array_declarator (identifier) @name)
  (pointer_declarator (array_declarator (identifier) @name))
  (array_declarator (pointer_declarator (identifier) @name))])) @global
(declaration declarator: [
  (identifier) @name
  (array_declarator (identifier) @name)]) @global
