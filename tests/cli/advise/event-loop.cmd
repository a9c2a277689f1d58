# A program whose event loop waits for something to do is not told to wait less.
printf '%s\n' 'main;serve;<method '"'poll' of 'select.epoll'"' objects> 90' 'main;serve;handle 10' |
    ptk advise --all --from folded - | grep -E '^([0-9]|blocking)|\[blocking|where'
