ptk summary --table operators x
