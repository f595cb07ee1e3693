(function_definition name: (identifier) @name parameters: (parameters) @signature) @definition
(decorated_definition
  (decorator [(identifier) @variant (attribute attribute: (identifier) @variant)])
  definition: (function_definition name: (identifier) @name) @definition)
(class_definition name: (identifier) @name) @definition
(type_alias_statement left: (type) @name) @definition
(module (expression_statement (assignment left: (identifier) @name)) @definition)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition))
