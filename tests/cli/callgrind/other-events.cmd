printf 'events: Ir\nfn=f\n1 5\npart: 2\nevents: Dr\n' | ptk hotspots -
