(function_declaration name: (identifier) @name) @definition
(generator_function_declaration name: (identifier) @name) @definition
(class_declaration name: (identifier) @name) @definition
(method_definition "set"? @variant name: (_) @name) @definition
(field_definition property: (_) @name) @definition
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition))
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function) (class)]) @definition
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition
(expression_statement (assignment_expression left: (member_expression) @name
  right: [(arrow_function) (function_expression) (generator_function) (class)])) @definition
(export_statement "default" @name value: (_)) @definition
