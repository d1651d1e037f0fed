#!/bin/sh
# A vendor's submission in any CI, in two jobs that share nothing but files.
#
#   sh submission.sh examine DIR OUT [ARGUMENT...]   runs the vendor's code: no rights, no secrets
#   sh submission.sh results OUT REPORT              runs nothing of the vendor: may write results
#
# Environment: SELO (the command, default selo), SELO_TRUST (the root of the vendor's certificate).
# Exit codes are those of Selo; 2 also where the vendor's code cannot be isolated: then nothing runs.
set -eu
SELO="${SELO:-selo}"

# Whether this machine can keep a vendor from network and files, as selo doctor measures it.
isolated() {
  "$SELO" doctor --json | python3 -c '
import json, sys
checks = {one["check"]: one["state"] for one in json.load(sys.stdin)["checks"]}
sys.exit(checks.get("bubblewrap") != "good")'
}

case "${1:-}" in
  examine)
    folder=$2 out=$3
    shift 3
    if ! isolated; then
      echo "selo: the vendor's code cannot be isolated here; nothing was run" >&2
      exit 2
    fi
    # Everything that is missing is said at once, before anything is run.
    "$SELO" submit check "$folder" --trust "$SELO_TRUST"
    command=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["form"]["command"])' "$folder/submission.json")
    inside=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["form"]["folder"])' "$folder/submission.json")
    "$SELO" examine --vendor "$command" --folder "$folder/$inside" \
      --submission "$folder" --trust "$SELO_TRUST" --out "$out" "$@"
    ;;
  results)
    out=$2 report=$3
    # What came from the other job is somebody's word until the evidence says the same.
    "$SELO" evidence check "$out"
    "$SELO" report "$out" --format json --format junit --format sarif --out "$report"
    ;;
  *)
    echo "usage: sh submission.sh examine DIR OUT [ARGUMENT...] | results OUT REPORT" >&2
    exit 3
    ;;
esac
