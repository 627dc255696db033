#!/bin/sh
# Lays out what runs: bin/sluice, lib with the jars, the options of the JVM and the start-up cache.
#
#   assemble.sh <java home> <root of the sources> <folder of the jars> <target folder>
set -eu
java_home=$1
root=$2
jars=$3
target=$4

# The commands that show the JVM what a start needs, best first; the first one that the program knows is taken.
trainings='warmup version'

dist=$root/app/src/main/dist
mkdir -p "$target/bin" "$target/lib"
cp "$dist/bin/sluice" "$target/bin/sluice"
chmod 755 "$target/bin/sluice"
cp "$dist/jvm.options" "$target/lib/jvm.options"
cp "$jars"/*.jar "$target/lib/"
# The cache checks the times of the jars; whole seconds survive every archive.
touch -d '2026-01-01 00:00:00 UTC' "$target"/lib/*.jar

# A start-up cache that cannot be made is no failure: everything works without it.
cd "$target"
cache=lib/sluice.aot
for training in $trainings; do
    rm -f "$cache"
    if SLUICE_JAVA_HOME=$java_home SLUICE_JAVA_OPTS="-XX:AOTCacheOutput=$cache" \
        bin/sluice "$training" >training.log 2>&1 && [ -f "$cache" ]; then
        printf '%s\n' "$java_home" "$training" >trained
        exit 0
    fi
done
echo 'no start-up cache was made:' >&2
cat training.log >&2
rm -f "$cache" "$cache.config"
printf '%s\n' "$java_home" none >trained
