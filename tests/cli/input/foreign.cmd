# Files that ptk does not read: each is named, with the command that makes a profile of it.
cd "$TMP_DIR"
tell() { # a name, and how the file begins
    printf "$2" >"$1"
    ptk info "$1"
}
binary='\001\000\002\003'
for name in a.nsys-rep a.qdrep a.qdstrm a.otf2 a.pmc a.etl a.opt a.perf.session a.afdo a.fdata a.xhprof; do
    tell $name "$binary"
done
tell a.ncu-rep 'NVR\000\001'
tell a.parquet 'PAR1\025\004'
tell a.arrow 'ARROW1\000\000'
tell a.h5 '\211HDF\r\n\032\n'
tell nsys.jsonl '{"CudaEvent":{"startNs":"1"}}\n'
tell nsys2.jsonl '{"TraceProcessEvent":{"startNs":"1"}}\n'
tell cuda_profile_0.log '# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 0 Tesla C2050\n'
tell a.hpcrun 'HPCRUN-profile____00002b'
tell profile.db 'HPCTOOLKITprof'
tell a.cali '__rec=node,id=1\n'
tell profile.cubex "$(head -c 257 /dev/zero | tr '\0' a)ustar anchor.xml"
tell a.tar "$(head -c 257 /dev/zero | tr '\0' a)ustar "
tell profile.0.0.0 '3 templated_functions_MULTI_TIME\n'
tell metadata '\165\321\035\127abc'
tell metadata.txt '/* CTF 1.8 */\n'
tell channel0 '\301\037\374\301abc'
tell trace.dat '\027\010\104tracing6'
tell perf.trace 'SIMPLEPERF\001\000'
tell gmon.out 'gmon\001\000'
for name in a.zip a.etl.zip a.diagsession a.vspx a.trace.zip; do
    tell $name 'PK\003\004\024\000'
done
tell a.nettrace 'Nettrace\024\000\000\000!FastSerialization.1'
tell a.gcdump '\024\000\000\000!FastSerialization.1'
tell a.hprof 'JAVA PROFILE 1.0.2\000\000'
tell java.hprof.txt 'JAVA PROFILE 1.0.1, created Mon\n'
tell a.jfr.lz4 '\004\042\115\030\100'
tell a.heapsnapshot '{"snapshot":{"meta":{"node_fields":["type"]}}}'
tell a.heaptimeline '{"snapshot":{"meta":{"node_fields":["type"]}},"trace_function_infos":[{'
tell trace.out 'go 1.22 trace\000\000\000'
tell a.mojo 'MOJ\003'
tell a.bin 'memray\000\013\000\000\000'
tell a.eventlog 'hdrbhetb'
tell x.xhprof.json '{"main()==>f":{"ct":1}}'
tell blackfire.json 'file-format: BlackfireProbe\n'
tell a.tracy 'tr\375P'
tell b.tracy 'tlZ\004'
tell c.tracy 'tZst'
tell spindump.txt 'Date/Time: 2026\nHeaviest stack for the target process:\n'
tell rank_et.json '{"schema": "1.1.1-chakra.0.0.4", "nodes": []}'
tell events.out.tfevents.1 '\030\000\000\000\000\000\000\000abcd\011\000\000\000\000\000\000\000\000\032\015\012brain.Event:2'
tell a.hlo 'HloModule jit_f\n'
tell run-1.wandb ':W&B\000'
tell core '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\004\000'
tell a.out '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000'
tell mac '\317\372\355\376'
tell fat '\312\376\272\276'
tell a.exe 'MZ\220\000'
tell a.gcda 'adcg'
tell a.profraw '\201rforpl\377'
tell a.profdata '\377lprofi\201'
tell a.7z '7z\274\257\047\034'
tell a.bz2 'BZh91AY'
tell a.xz '\3757zXZ\000'
tell scalene.html '<html><title>Scalene</title>'
tell page.html '<!doctype html><p>'
tell flame.svg '<?xml version="1.0"?><svg>'
tell plain.svg '<svg>'
tell a.png '\211PNG\r\n'
tell a.pdf '%%PDF-1.7\n'
tell run.strace '12:00:01 read(3, "", 832) = 0\n'
tell strace.log 'execve("/bin/ls", ["ls"], 0x7ffd) = 0\nclose(3) = 0\n'
tell a.prd "$binary"
tell a.events "$binary"
tell rows.csv 'name,seconds,calls\nmain,1.5,1\nparse,0.5,3\n'
tell one.csv 'name,seconds,calls\nmain,1.5,1\n'
tell quoted.csv 'name,shapes,calls\n"a,b","(1, 2)",1\n"c\nd","((3, 4), 5)",3\n'
tell like-nvprof.csv 'name,shapes,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\nf,"(1, 2)","(3)",3,4,5,6,7,8,9,10,11,12,"f(int)",1,2,15,16,17,18\n'
# a name that promises something else
tell text.strace 'hello\n'
tell text.nsys-rep 'Processing events...\n'
tell text.ncu-rep 'hello\n'
tell text.zip 'hello\n'
