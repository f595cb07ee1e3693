(function_item name: (identifier) @name) @definition
(function_signature_item name: (identifier) @name) @definition
[(struct_item name: (_) @name)
 (enum_item name: (_) @name)
 (union_item name: (_) @name)
 (type_item name: (_) @name)
 (associated_type name: (_) @name)
 (trait_item name: (_) @name)
 (mod_item name: (_) @name)
 (macro_definition name: (_) @name)
 (const_item name: (_) @name)
 (static_item name: (_) @name)
 (enum_variant name: (_) @name)
 (field_declaration name: (_) @name)] @definition
(impl_item
  trait: [(type_identifier) @trait
          (generic_type type: (type_identifier) @trait)
          (scoped_type_identifier name: (type_identifier) @trait)]?
  type: [(type_identifier) @name
         (generic_type type: (type_identifier) @name)
         (scoped_type_identifier name: (type_identifier) @name)
         (primitive_type) @name
         (reference_type type: (type_identifier) @name)]) @scope
