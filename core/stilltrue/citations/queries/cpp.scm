(function_definition declarator: [
  (function_declarator declarator: (_) @name parameters: (_) @signature)
  (operator_cast type: (_) @name)
  (pointer_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))
  (pointer_declarator (pointer_declarator (function_declarator declarator: (_) @name parameters: (_) @signature)))
  (reference_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))]) @definition
(declaration declarator: [
  (function_declarator declarator: (_) @name parameters: (_) @signature)
  (pointer_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))
  (reference_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))]) @declaration
(field_declaration declarator: [
  (function_declarator declarator: (_) @name parameters: (_) @signature)
  (pointer_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))
  (reference_declarator (function_declarator declarator: (_) @name parameters: (_) @signature))]) @declaration
[(class_specifier name: (_) @name body: (_))
 (struct_specifier name: (_) @name body: (_))
 (union_specifier name: (_) @name body: (_))
 (enum_specifier name: (_) @name body: (_))
 (namespace_definition name: (_) @name)
 (alias_declaration name: (_) @name)
 (concept_definition name: (_) @name)
 (type_definition declarator: (type_identifier) @name)
 (preproc_def name: (_) @name)
 (preproc_function_def name: (_) @name)
 (enumerator name: (_) @name)
 (field_declaration declarator: (field_identifier) @name)
 (field_declaration declarator: (pointer_declarator (field_identifier) @name))
 (field_declaration declarator: (array_declarator (field_identifier) @name))] @definition
(declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (qualified_identifier) @name
  (pointer_declarator (identifier) @name)
  (array_declarator (identifier) @name)])) @global
(declaration declarator: [
  (identifier) @name
  (array_declarator (identifier) @name)]) @global
