#!/usr/bin/env bash
# Runs the suite for action.yml: options one a line, the exit code and a name for the artifact as outputs.
set -euo pipefail

options=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [[ -z $line ]] || options+=("$line")
done <<<"${INPUT_OPTIONS-}"

# An empty token is no token.
[[ -n ${CATS_TOKEN-} ]] || unset CATS_TOKEN

# Jobs of a matrix, and the same job called for several deployments, keep their reports side by side.
name="${INPUT_ARTIFACT_NAME-}"
if [[ -z $name ]]; then
  read -r checksum _ < <(cksum <<<"${CATS_BASE_URL-}")
  name="${CATS_REPORT_DIR-}-${GITHUB_JOB-job}-${INPUT_JOB_INDEX:-0}-$checksum"
fi
echo "artifact-name=${name//[^[:alnum:]._-]/-}" >>"$GITHUB_OUTPUT"

# An input that is empty, e.g. a variable that is not defined, would judge nothing of the user's.
if [[ -z ${CATS_BASE_URL//[[:space:]]/} ]]; then
  echo '::error title=Conformance::The input base-url is empty: nothing was judged.'
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 2
fi

code=0
# The inputs say everything: a .env of the checked out repository is not read.
node "$INPUT_CLI" --no-env-file "${options[@]}" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ $code -eq 3 && $INPUT_INCONCLUSIVE == warn ]]; then exit 0; fi
exit "$code"
