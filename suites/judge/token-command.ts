import { exec } from 'node:child_process'
import { RenewableToken } from '../engine/http/client/renewable-token.ts'
import { throwUsageError, type ValueSource } from '../options/usage-error.ts'
import { parseBearerToken } from '../options/values.ts'

/** The deadline of the command. Without it, the run would wait forever for a command that hangs or prompts a person. */
const MAX_COMMAND_MS = 30_000

const TOKEN_COMMAND_SOURCE: ValueSource = {
  name: '--token-command',
  example: "--token-command 'vault read -field=token cats'",
  withValue: (value) => `--token-command ${value}`,
}

/** Throws a usage error without the output of the command, which may be secret. */
const refuseTokenCommand = (what: string): never =>
  throwUsageError(
    TOKEN_COMMAND_SOURCE,
    what,
    'a shell command that prints only the token and ends with exit code 0',
    'run the command alone in a shell and look at its output',
  )

/** Runs the command, and returns the token that it prints. Rejects if it fails or prints no token. */
function runTokenCommand(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = exec(command, { timeout: MAX_COMMAND_MS }, (error, stdout) => {
      try {
        if (error?.killed) refuseTokenCommand(`the command did not end within ${MAX_COMMAND_MS / 1000} seconds.`)
        if (error) refuseTokenCommand(`the command failed (exit code ${error.code ?? 'unknown'}).`)
        if (stdout.trim() === '') refuseTokenCommand('the command printed no output.')
        resolve(parseBearerToken(stdout.trim(), TOKEN_COMMAND_SOURCE))
      } catch (refusal) {
        reject(refusal)
      }
    })
    child.stdin?.end()
  })
}

interface TokenOptions {
  readonly tokenCommand?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly secretHeaders?: readonly string[]
  readonly renewableToken?: RenewableToken
}

/** Runs the token command of the options, and adds the token to their headers. Changes nothing without a command. */
export async function addTokenFromCommand<O extends TokenOptions>(
  options: O,
): Promise<O & Pick<TokenOptions, 'renewableToken'>> {
  const { tokenCommand, headers = {}, secretHeaders } = options
  if (tokenCommand === undefined || options.renewableToken) return options
  const token = await runTokenCommand(tokenCommand)
  return {
    ...options,
    headers: { ...headers, Authorization: `Bearer ${token}` },
    ...(secretHeaders && { secretHeaders: [...secretHeaders, 'authorization'] }),
    renewableToken: new RenewableToken(token, () => runTokenCommand(tokenCommand)),
  }
}
