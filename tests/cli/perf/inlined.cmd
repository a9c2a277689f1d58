# A function whose code stands in its callers is one function with what it is elsewhere, and says so.
printf '%s\n' 'app 7 1.000: 100 cycles:' '	121c step (inlined)' '	121c twice (inlined)' '	121c slow+0x2c (/srv/app)' '	10ff main+0x1f (/srv/app)' '' \
    'app 7 1.100: 100 cycles:' '	130c step+0xc (/srv/app)' '	10ff main+0x1f (/srv/app)' '' 'app 7 1.200: 100 cycles:' '	130c lost (inlined)' '' |
    ptk hotspots --value cycles -
