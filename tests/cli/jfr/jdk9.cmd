# com.oracle.jdk.X of JDK 9 and 10 is jdk.X
ptk info testdata/jfr/jdk9.jfr
ptk hotspots -n 2 testdata/jfr/jdk9.jfr
ptk hotspots -n 2 --value contention testdata/jfr/jdk9.jfr
