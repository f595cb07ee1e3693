(pair key: (string) @name) @definition
(array [(object) (array)] @item)
