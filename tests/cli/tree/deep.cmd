printf '%s\n' 'a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s 5' 'a;b;c;d;e;x;y;x 3' 'a;b;z;z 2' 't;u 1' | ptk tree -
