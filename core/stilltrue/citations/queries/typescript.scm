(function_declaration name: (identifier) @name parameters: (_) @signature) @definition
(generator_function_declaration name: (identifier) @name) @definition
(function_signature name: (identifier) @name parameters: (_) @signature) @declaration
[(class_declaration name: (_) @name)
 (abstract_class_declaration name: (_) @name)
 (interface_declaration name: (_) @name)
 (enum_declaration name: (_) @name)
 (type_alias_declaration name: (_) @name)
 (internal_module name: (_) @name)
 (module name: (_) @name)] @definition
(method_definition "set"? @variant name: (_) @name parameters: (_) @signature) @definition
(method_signature name: (_) @name parameters: (_) @signature) @declaration
(abstract_method_signature name: (_) @name parameters: (_) @signature) @declaration
(public_field_definition name: (_) @name) @definition
(property_signature name: (_) @name) @definition
(enum_assignment name: (_) @name) @definition
(enum_body (property_identifier) @name @definition)
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @definition))
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function) (class)]) @definition
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition
(expression_statement (assignment_expression left: (member_expression) @name
  right: [(arrow_function) (function_expression) (generator_function) (class)])) @definition
(export_statement "default" @name value: (_)) @definition
