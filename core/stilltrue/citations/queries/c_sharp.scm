[(class_declaration name: (_) @name)
 (struct_declaration name: (_) @name)
 (interface_declaration name: (_) @name)
 (enum_declaration name: (_) @name)
 (record_declaration name: (_) @name)
 (namespace_declaration name: (_) @name)
 (property_declaration name: (_) @name)
 (event_declaration name: (_) @name)
 (enum_member_declaration name: (_) @name)
 (field_declaration (variable_declaration (variable_declarator name: (_) @name)))
 (event_field_declaration (variable_declaration (variable_declarator name: (_) @name)))] @definition
[(method_declaration name: (_) @name parameters: (_) @signature)
 (constructor_declaration name: (_) @name parameters: (_) @signature)
 (delegate_declaration name: (_) @name parameters: (_) @signature)
 (local_function_statement name: (_) @name parameters: (_) @signature)
 (operator_declaration operator: _ @name parameters: (_) @signature)] @definition
(destructor_declaration "~" @variant name: (_) @name) @definition
