# Folders that a tool writes as a whole: each is named, with the command that prints it; another folder is not.
cd "$TMP_DIR"
tell() { # a folder, and an entry of it
    mkdir -p "folders/$1" && mkdir -p "folders/$(dirname "$1/$2")" && : >"folders/$1/$2"
    ptk hotspots "folders/$1"
}
tell r000hs r000hs.vtune
tell advisor e000
tell app.trace Trace1.run
tell packed.trace form.template
tell perf.data.dir data.0
tell AMDuProf-app-11-27 1.caperf
tell oprofile_data samples/current
tell run_pqtdir CUPTI_ACTIVITY_KIND_KERNEL.parquet
tell run_arwdir CUPTI_ACTIVITY_KIND_KERNEL.arrow
tell scorep-traces traces.otf2
tell scorep-profile profile.cubex
tell hpctoolkit-db cct.db
tell hpctoolkit-run a-000000-000.hpcrun
tell runs rank0.json
ptk folders/r000hs
