#!/bin/sh
# Lays out what runs: bin/sluice, lib with the jars, the options of the JVM and the start-up cache.
#
#   assemble.sh <java home> <root of the sources> <folder of the jars> <the lab's jars> <target folder>
set -eu
java_home=$1
root=$2
jars=$3
lab_jars=$4
target=$5

dist=$root/app/src/main/dist
mkdir -p "$target/bin" "$target/lib/lab"
cp "$dist/bin/sluice" "$target/bin/sluice"
chmod 755 "$target/bin/sluice"
cp "$dist/jvm.options" "$target/lib/jvm.options"
cp "$jars"/*.jar "$target/lib/"
cp "$lab_jars"/*.jar "$target/lib/lab/"
# The cache checks the times of the jars; whole seconds survive every archive.
touch -d '2026-01-01 00:00:00 UTC' "$target"/lib/*.jar

# The start-up cache: the JVM watches one training and writes down what a start needs. The program's own training
# is best; a program without one is started and told to stop.
cd "$target"
cache=lib/sluice.aot

export SLUICE_JAVA_HOME="$java_home" SLUICE_JAVA_OPTS="-XX:AOTCacheOutput=$cache"

train_by_warmup() {
    bin/sluice warmup >training.log 2>&1
}

train_by_run() {
    echo '{"inbounds":[{"type":"mixed","listen":"127.0.0.1","listen_port":0}]}' >training.json
    bin/sluice run -c training.json >training.log 2>&1 &
    process=$!
    tries=0
    until grep -q started training.log || [ $tries -ge 100 ] || ! kill -0 $process 2>/dev/null; do
        tries=$((tries + 1))
        sleep 0.2
    done
    kill -TERM $process 2>/dev/null || true
    wait $process
    rm -f training.json
}

for training in train_by_warmup train_by_run; do
    rm -f "$cache"
    if $training && [ -f "$cache" ]; then
        printf '%s\n' "$java_home" $training >trained
        exit 0
    fi
done

# Everything works without it, slower.
echo 'no start-up cache was made:' >&2
cat training.log >&2
rm -f "$cache" "$cache.config"
printf '%s\n' "$java_home" none >trained
