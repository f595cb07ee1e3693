(section (atx_heading . (_) @level heading_content: (inline)? @name) @heading)
(section (setext_heading heading_content: (_) @name [(setext_h1_underline) (setext_h2_underline)] @level) @heading)
