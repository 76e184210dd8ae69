#!/bin/sh
# Runs `quiesce` in a Pod once the container with the results is there, and holds a pipe to it open as long as it lives:
# however it ends, a kill included, that one sees it at once. QUIESCE_SHARED is a folder that both have.
set -e
shared=${QUIESCE_SHARED:-/tmp}
mkfifo "$shared/run.new"
mv "$shared/run.new" "$shared/run"
exec 9> "$shared/run"
exec quiesce "$@"
