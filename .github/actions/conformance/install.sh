#!/usr/bin/env bash
# Installs the suite for action.yml, in a step that is given no secrets; its output "cli" is what judge.sh starts.
set -euo pipefail

# A job may have set some for all of its steps: no install script is to see them.
for variable in "${!CATS_@}"; do unset "$variable"; done

if [[ $INPUT_INCONCLUSIVE != fail && $INPUT_INCONCLUSIVE != warn ]]; then
  echo '::error title=Cat directory conformance::The input "inconclusive" is neither "fail" nor "warn".'
  exit 2
fi

quiet=(--omit=dev --no-audit --no-fund --loglevel=error)
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
if [[ -n ${INPUT_VERSION-} ]]; then
  # A version from git is compiled by its install script.
  npm install "${quiet[@]}" --prefix "$RUNNER_TEMP/cat-directory-conformance" -- "$INPUT_VERSION" >&2
  cli="$RUNNER_TEMP/cat-directory-conformance/node_modules/cat-directory-conformance/dist/suites/cli.js"
else
  [[ -d $root/node_modules ]] || (cd "$root" && npm ci "${quiet[@]}" --ignore-scripts >&2)
  cli="$root/dist/suites/cli.js"
  if [[ ! -f $cli ]]; then
    # What would compile it is no production dependency; Node.js runs the sources by itself from 22.18 on.
    cli="$root/suites/cli.ts"
    if ! node -e 'process.exit(process.features.typescript ? 0 : 1)'; then
      echo "::error title=Cat directory conformance::Node.js $(node --version) is too old to run this action: 22.18 or newer is needed. Let actions/setup-node come before it."
      exit 2
    fi
  fi
fi
echo "cli=$cli" >>"$GITHUB_OUTPUT"
