#!/bin/sh
# One run on a cluster, as a CI does it: what killed runs left is swept, the cluster is asked what it gives, what fits into the
# time is planned, run, and swept again whatever happened. The exit code is that of the run: 0 all pass, 1 some fail, 2 some
# inconclusive, 3 harness error, 64 usage, 69 nothing could be tried, 143 interrupted.
#
#   KUBECONFIG_FILE  kubeconfig of the cluster, or in-cluster       CONTEXT    its context; absent: the current one
#   SELECTION        scenarios, requirements or globs; absent: all   BUDGET     time for scenarios, such as 40m; absent: 2h
#   MODEL            what real engines serve; absent: our doubles    OUT        folder for all that is written; absent: out/gpu
#   FLAGS            more for `quiesce run`, such as --engine vLLM=IMAGE; or --double-images, without MODEL
#   NEED             what must be there, of `quiesce preflight`; absent: accelerator
set -eu
: "${KUBECONFIG_FILE:?names the kubeconfig of the cluster}"
cd "$(dirname "$0")/../.."
out=${OUT:-out/gpu}
mkdir -p "$out"
if [ -e "$out/run" ]; then
  echo "nightly: $out holds a run already; name another folder with OUT" >&2
  exit 64
fi
set -- --kubeconfig "$KUBECONFIG_FILE"
if [ -n "${CONTEXT:-}" ]; then set -- "$@" --context "$CONTEXT"; fi
pid=
start() {
  node scripts/bin.mjs "$@" &
  pid=$!
}
# A signal may end the first `wait` before the process has ended.
end() {
  code=0
  wait "$pid" || code=$?
  while kill -0 "$pid" 2> /dev/null; do
    code=0
    wait "$pid" || code=$?
  done
  return "$code"
}
stopped=
trap 'stopped=143; kill -TERM "$pid" 2> /dev/null || true' TERM INT HUP

echo "== what killed runs left"
start sweep "$@" --wait 2> "$out/kept"
end
cat "$out/kept" >&2
# Two runs would take each other's accelerators.
if grep -q 'its lease holds$' "$out/kept"; then
  echo "nightly: another run is alive in this cluster; expected none; next: wait for its end" >&2
  exit 3
fi
[ -z "$stopped" ] || exit "$stopped"

echo "== what the cluster gives"
start preflight "$@" --need "${NEED:-accelerator}" --json > "$out/preflight.json"
end || { cat "$out/preflight.json"; exit 3; }
[ -z "$stopped" ] || exit "$stopped"

echo "== what fits into ${BUDGET:-2h}"
# The words of a selection may be globs, which are no files.
set -f
# shellcheck disable=SC2086
start plan ${SELECTION:-} ${MODEL:+--real-engines} --budget "${BUDGET:-2h}" --time-scale 1 --json > "$out/plan.json"
end
scenarios=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).plan.map((row) => row.scenario).join(" ")' "$out/plan.json")
[ -z "$stopped" ] || exit "$stopped"

echo "== $scenarios"
# shellcheck disable=SC2086
start run $scenarios --target kubernetes "$@" ${MODEL:+--model "$MODEL"} --until-decided 3 --out "$out/run" ${FLAGS:-}
verdict=0
end || verdict=$?

echo "== what this run left"
start sweep "$@" --wait
end || [ "$verdict" -ne 0 ] || verdict=3
exit "${stopped:-$verdict}"
