# without a limit named, what inflates as nothing real does is stopped early
{ echo 'main 1'; yes ''; } | head -c 100000000 | gzip | ptk info --from folded
