#!/usr/bin/env bash
# Runs the suite for action.yml. The input has one option per line; the outputs are exit-code and artifact-name.
set -euo pipefail

options=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [[ -z $line ]] || options+=("$line")
done <<<"${INPUT_OPTIONS-}"

# Removes an empty token, because GitHub sets inputs that are not given to an empty text.
[[ -n ${CATS_TOKEN-} ]] || unset CATS_TOKEN

# Names differ between the jobs of a matrix and between deployments, because artifacts must not have the same name.
name="${INPUT_ARTIFACT_NAME-}"
if [[ -z $name ]]; then
  read -r checksum _ < <(cksum <<<"${CATS_BASE_URL-}")
  name="${CATS_REPORT_DIR-}-${GITHUB_JOB-job}-${INPUT_JOB_INDEX:-0}-$checksum"
fi
echo "artifact-name=${name//[^[:alnum:]._-]/-}" >>"$GITHUB_OUTPUT"

# Fails for an empty base URL (e.g. an undefined variable), because the suite would test its reference service.
if [[ -z ${CATS_BASE_URL//[[:space:]]/} ]]; then
  echo '::error title=Conformance::The input base-url is empty, so no deployment was tested. Set base-url to the URL of the deployment.'
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 2
fi

code=0
# Ignores a .env of the checked-out repository, because the inputs are the only configuration of the action.
node "$INPUT_CLI" --no-env-file "${options[@]}" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ $code -eq 3 && $INPUT_INCONCLUSIVE == warn ]]; then exit 0; fi
exit "$code"
