printf '<?xml version="1.0"?>\n<session version="2" name="a.nvvp">\n' | ptk hotspots
printf 'device,HBMBw,HBMBwLow\n0,1307.5,1300.1\n' | ptk hotspots
printf 'workload_name,command,gpu_model,gpu_arch\nvcopy,./vcopy,mi200,gfx90a\n' | ptk hotspots
printf "\177ELF\2\1" | ptk hotspots
printf '<!DOCTYPE html>\n<html>\n' | ptk hotspots
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' | ptk hotspots
