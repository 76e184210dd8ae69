#!/bin/sh
# Keeps the results of a run within reach after it has ended, since nothing can be copied out of a Pod that is over: until
# somebody says that they have them (`quiesce-results release`), or QUIESCE_KEEP seconds have passed.
shared=${QUIESCE_SHARED:-/tmp}
keep=${QUIESCE_KEEP:-3600}
if [ "$1" = release ]; then
  exec touch "$shared/released"
fi
# A shell that is process 1 hears no signal without a trap, and a trap waits for what runs in the foreground.
trap 'exit 0' TERM INT
pause() {
  sleep 1 &
  wait $!
}
echo "waiting for the run to begin"
until [ -p "$shared/run" ]; do pause; done
cat "$shared/run" &
wait $!
echo "the run has ended; its results are kept for $keep s, or until: quiesce-results release"
while [ ! -e "$shared/released" ] && [ "$keep" -gt 0 ]; do
  pause
  keep=$((keep - 1))
done
