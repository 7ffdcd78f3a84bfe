# Functions for the scripts that test a platform. Source this file with "." from
# the root of the project, after needs.sh. POSIX sh.
# shellcheck shell=sh

tmp=$(mktemp -d)
at_exit=
trap 'eval "$at_exit"; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
failed=

# The scenes, and how they run, whose hashes and recordings platforms compare.
scenes='rain joints car'

# stage NAME COMMAND...: runs a stage and says whether it passed. What it prints is
# shown after a failure.
stage() {
	name=$1
	shift
	if "$@" >"$tmp/stage" 2>&1; then
		printf 'ok      %s%s\n' "$name" "$(sed -n 's/^result: /: /p' "$tmp/stage" | tail -n 1)"
	else
		printf 'FAILED  %s\n' "$name"
		tail -n 40 "$tmp/stage"
		failed="$failed, $name"
	fi
}

# same WHAT A B: fails if A and B differ.
same() {
	[ "$2" = "$3" ] && return
	echo "$1: $2, and not $3"
	return 1
}

# hash_of STATS: the hash in a file that -stats wrote.
hash_of() { sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }

# size_of PNG: width and height of a picture.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }

# reference: builds the viewer for this machine and plays the scenes with it, as
# NAME.png, NAME.json and NAME.rec in $tmp/here.
reference() {
	mkdir -p "$tmp/here" && go build -buildvcs=false -o "$tmp/viewer" ./cmd/viewer || return 1
	for s in $scenes; do
		on_screen "$tmp/viewer" -hidden -hud=false -scene "$s" -size 320x180 -clock fixed:60 -ticks 120 -screenshot "$tmp/here/$s.png" \
			-stats "$tmp/here/$s.json" -record "$tmp/here/$s.rec" || return 1
	done
	echo "result: rain after 120 ticks $(hash_of "$tmp/here/rain.json")"
}

verdict() {
	if [ -n "$failed" ]; then
		echo "FAILED: ${failed#, }"
		exit 1
	fi
	echo PASSED
}
