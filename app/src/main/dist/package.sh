#!/bin/sh
# Makes target/sluice-<version>-linux-<arch>.tar.gz, which runs on a machine without Java.
#
#   package.sh <java home> <root of the sources> <folder of the jars> <the lab's jars>
set -eu
java_home=$1
root=$2
jars=$3
lab_jars=$4

dist=$root/app/src/main/dist
work=$root/target/package
rm -rf "$work"
mkdir -p "$work"
(cd "$work" && "$java_home/bin/jar" --extract --file "$jars/sluice.jar" sluice/app/version.txt)
version=$(cat "$work/sluice/app/version.txt")
name=sluice-$version
archive=$root/target/$name-linux-$(uname -m).tar.gz

# The modules of the JDK that the jars use.
modules=$("$java_home/bin/jdeps" --multi-release 25 --ignore-missing-deps --print-module-deps \
    "$jars"/*.jar "$lab_jars"/*.jar) || {
    echo "$modules" >&2
    exit 1
}
"$java_home/bin/jlink" --add-modules "$modules" --output "$work/$name/runtime" \
    --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-6

sh "$dist/assemble.sh" "$work/$name/runtime" "$root" "$jars" "$lab_jars" "$work/$name"
rm -f "$work/$name/training.log" "$work/$name/trained"

cp -R "$dist/etc" "$work/$name/etc"
cp "$dist/README" "$root/LICENSE" "$work/$name/"
[ ! -d "$root/examples" ] || cp -R "$root/examples" "$work/$name/examples"

tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work" -czf "$archive.next" "$name"
mv "$archive.next" "$archive"
rm -rf "$work"
echo "$archive"
