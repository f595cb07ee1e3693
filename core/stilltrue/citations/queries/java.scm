[(class_declaration name: (identifier) @name)
 (interface_declaration name: (identifier) @name)
 (enum_declaration name: (identifier) @name)
 (record_declaration name: (identifier) @name)
 (annotation_type_declaration name: (identifier) @name)
 (annotation_type_element_declaration name: (identifier) @name)
 (enum_constant name: (identifier) @name)
 (compact_constructor_declaration name: (identifier) @name)] @definition
(method_declaration name: (identifier) @name parameters: (_) @signature) @definition
(constructor_declaration name: (identifier) @name parameters: (_) @signature) @definition
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition
