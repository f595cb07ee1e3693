(block_mapping_pair key: (_) @name) @definition
(flow_pair key: (_) @name) @definition
(block_sequence_item) @item
(flow_sequence (flow_node) @item)
