#!/bin/sh
# Copies Node and the libraries that a base may lack, into a folder of its own. The C library stays the base's.
set -eu
folder=$1
node=$(command -v node)
mkdir -p "$folder/bin" "$folder/lib"
cp -L "$node" "$folder/bin/node"
# The loader itself tells what a program links to; no ldd needed.
LD_TRACE_LOADED_OBJECTS=1 "$node" | while read -r name arrow path rest; do
  [ "$arrow" = '=>' ] || continue
  case $name in
    libstdc++.* | libgcc_s.* | libatomic.*) cp -L "$path" "$folder/lib/$name" ;;
  esac
done
