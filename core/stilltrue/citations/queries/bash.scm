(function_definition name: (word) @name) @definition
(program (variable_assignment name: (variable_name) @name) @definition)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition)
