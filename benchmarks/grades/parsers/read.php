<?php
// What PHP's own scanner reads, without white space and comments: one JSON string a line in, one digest out.
while (($line = fgets(STDIN)) !== false) {
    $told = [];
    try {
        foreach (PhpToken::tokenize(json_decode($line), TOKEN_PARSE) as $token) {
            if (!$token->is([T_WHITESPACE, T_COMMENT, T_DOC_COMMENT])) {
                $told[] = [$token->id, $token->is(T_OPEN_TAG) ? '' : $token->text];
            }
        }
        echo sha1(serialize($told)), "\n";
    } catch (Throwable) {
        echo "-\n";
    }
}
