[(module name: (_) @name)
 (class name: (_) @name)
 (method name: (_) @name)
 (alias name: (_) @name)] @definition
(singleton_method object: (_) @variant name: (_) @name) @definition
(singleton_class value: (_) @name) @scope
(assignment left: (constant) @name) @definition
