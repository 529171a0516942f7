#!/usr/bin/env bash
# Installs the suite for action.yml, in a step that gets no secrets. The output "cli" is the file that judge.sh runs.
set -euo pipefail

# Removes secrets that the job sets for all of its steps, so that install scripts of packages cannot read them.
for variable in "${!CATS_@}"; do unset "$variable"; done

if [[ $INPUT_INCONCLUSIVE != fail && $INPUT_INCONCLUSIVE != warn ]]; then
  echo '::error title=Cat directory conformance::The input "inconclusive" is neither "fail" nor "warn".'
  exit 2
fi

quiet=(--omit=dev --no-audit --no-fund --loglevel=error)
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
if [[ -n ${INPUT_VERSION-} ]]; then
  # Runs install scripts, because that of a version from git compiles it.
  npm install "${quiet[@]}" --prefix "$RUNNER_TEMP/cat-directory-conformance" -- "$INPUT_VERSION" >&2
  cli="$RUNNER_TEMP/cat-directory-conformance/node_modules/cat-directory-conformance/dist/suites/cli.js"
else
  [[ -d $root/node_modules ]] || (cd "$root" && npm ci "${quiet[@]}" --ignore-scripts >&2)
  cli="$root/dist/suites/cli.js"
  if [[ ! -f $cli ]]; then
    # Runs the sources, because the compiler is no production dependency. Node.js runs TypeScript from 22.18 on.
    cli="$root/suites/cli.ts"
    if ! node -e 'process.exit(process.features.typescript ? 0 : 1)'; then
      echo "::error title=Cat directory conformance::Node.js $(node --version) is too old for this action, which needs 22.18 or newer. Add a step with actions/setup-node before it."
      exit 2
    fi
  fi
fi
echo "cli=$cli" >>"$GITHUB_OUTPUT"
