#!/usr/bin/env bash
# Runs the suite for action.yml: options one a line, the exit code as an output.
set -euo pipefail

options=()
while IFS= read -r line; do
  [[ -z $line ]] || options+=("$line")
done <<<"${INPUT_OPTIONS-}"

# An empty token is no token.
[[ -n ${CATS_TOKEN-} ]] || unset CATS_TOKEN

# The suite that came with this action, unless another is named.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
if [[ -n ${INPUT_VERSION-} ]]; then
  suite=(npx --yes --package "$INPUT_VERSION" cat-directory-conformance)
else
  [[ -f $root/dist/suites/cli.js ]] || (cd "$root" && npm ci --no-audit --no-fund >/dev/null)
  suite=(node "$root/dist/suites/cli.js")
fi

code=0
"${suite[@]}" "${options[@]}" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ $code -eq 3 && $INPUT_INCONCLUSIVE == warn ]]; then exit 0; fi
exit "$code"
