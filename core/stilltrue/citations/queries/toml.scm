(table . [(bare_key) (quoted_key) (dotted_key)] @name) @definition
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @definition @numbered
(pair . [(bare_key) (quoted_key) (dotted_key)] @name) @definition
