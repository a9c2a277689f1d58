# what a call costs is recorded, whoever else calls the function: no estimate. Its own part of that is one
printf 'events: Ir\nfn=main\n1 10\ncfn=a\ncalls=1 1\n2 50\ncfn=b\ncalls=1 1\n3 80\nfn=a\n1 20\ncfn=b\ncalls=1 1\n2 30\nfn=b\n1 110\n' | ptk tree -
printf 'events: Ir\nfn=(below main)\n1 10\ncfn=std::sort<int>(int*)\ncalls=1 1\n2 50\nfn=std::sort<int>(int*)\n1 50\n' | ptk dot --strip - | grep -o 'label="[^"]*"'
