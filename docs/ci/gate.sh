#!/bin/sh
# The gate as any CI can run it. Settings of the project stand in selo.toml; arguments are passed on.
# Environment: SELO (the command, default selo), SELO_OUT (a new folder; without it, as selo.toml
# says or selo-run, and where that is there already, the same with the next number).
set -u
SELO="${SELO:-selo}"

# What is missing on this machine, and what that costs, stands in the log.
"$SELO" doctor || exit $?

"$SELO" gate ${SELO_OUT:+--out "$SELO_OUT"} "$@"
code=$?

# The contract of the exit code, in words.
case $code in
  0) echo "selo: the gate opens" ;;
  1) echo "selo: a violation that is not listed" ;;
  2) echo "selo: something open that is not listed, or too little verified" ;;
  3) echo "selo: a deviation that expired or is stale, or a file that is wrong" ;;
  4) echo "selo: the vendor cannot be reached or broke down" ;;
  5) echo "selo: a defect of Selo itself" ;;
  6) echo "selo: a permission with a bad signature" ;;
  *) echo "selo: interrupted" ;;
esac
exit $code
