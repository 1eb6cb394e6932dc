/*
 * What tokens look like. Each pattern begins at a boundary and is bounded or cannot meet itself again inside
 * what it scans, so that no text makes the search take more than linear time.
 */

export interface TokenPattern {
  readonly find: RegExp
  readonly replace: string
}

export const redacted = '[redacted]'

/** The letters of an escape in JSON (a line's end, as \n) or of a colour are no part of the word behind them. */
const behindEscape = String.raw`(?<=\\(?:[bfnrt]|u[0-9a-fA-F]{4})|\[[0-9;]{0,16}m)`
const start = String.raw`(?:(?<![A-Za-z0-9_-])|${behindEscape})`
const headerStart = String.raw`(?:(?<![A-Za-z0-9-])|${behindEscape})`
const token = (body: string): TokenPattern => ({ find: new RegExp(start + body, 'g'), replace: redacted })
const header = (body: string): TokenPattern => ({
  find: new RegExp(headerStart + body, 'gi'),
  replace: `$1${redacted}`,
})

export const tokenPatterns: readonly TokenPattern[] = [
  // Forges: GitHub's five kinds, its fine-grained ones, and GitLab's personal, deploy, runner, job, ... tokens.
  token('gh[pousr]_[A-Za-z0-9]{20,255}'),
  token('github_pat_[A-Za-z0-9_]{20,255}'),
  token('gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{16,255}'),
  // Model providers. A digit is asked for, as "sk-" may begin ordinary words.
  token('sk-ant-[A-Za-z0-9_-]{10,255}'),
  token('sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{16,255}'),
  token('xai-[A-Za-z0-9]{20,255}'),
  token('AIza[A-Za-z0-9_-]{35}'),
  // Slack, Amazon.
  token('xox[a-z]-[A-Za-z0-9-]{10,255}'),
  token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  // JSON web tokens: three parts, the first two begin with {" in base64.
  token(String.raw`eyJ[A-Za-z0-9_-]{6,8192}\.eyJ[A-Za-z0-9_-]{6,8192}\.[A-Za-z0-9_-]{0,8192}`),
  // Headers.
  header(
    String.raw`((?:proxy-)?authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:(?:basic|bearer|token|digest)[ \t]{1,8})?)(?!(?:[a-z]{5,6}[ \t]{1,8})?\[redacted\])[^\s"',;]{1,8192}`,
  ),
  header(
    String.raw`((?:private-token|job-token|x-api-key|x-gitlab-token|x-goog-api-key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)(?!\[redacted\])[^\s"',;]{1,8192}`,
  ),
  header(String.raw`((?:bearer|basic)[ \t]{1,8})(?=[A-Za-z+/=._~-]{0,64}[0-9])[A-Za-z0-9+/=._~-]{12,8192}`),
  // Somebody's password in a URL; a bare short user name (ssh://git@host) is none.
  { find: /:\/\/(?!\[redacted\]@)[^\s/?#@:]{0,256}:[^\s/?#@]{0,512}@/g, replace: `://${redacted}@` },
  { find: /:\/\/[^\s/?#@:]{20,512}@/g, replace: `://${redacted}@` },
  // Private keys that stand in one piece.
  {
    find: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,]{0,16384}-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
    replace: redacted,
  },
]

const anyOf = (ignoresCase: boolean): RegExp =>
  new RegExp(
    tokenPatterns
      .filter(({ find }) => find.ignoreCase === ignoresCase)
      .map(({ find }) => find.source)
      .join('|'),
    ignoresCase ? 'i' : '',
  )
const anyAsWritten = anyOf(false)
const anyInEitherCase = anyOf(true)

/**
 * Found wherever one of the patterns is, and seldom elsewhere. Each part begins with a character that texts seldom
 * have and looks back from it, so that the search is one for a few characters and takes a fifth of the time.
 */
const trace = new RegExp(
  [
    '_(?<=gh[pousr]_|github_pat_)',
    '-(?<=gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-|sk-|xai-|xox[a-z]-)',
    'z(?<=AIz)',
    'A(?<=A[KSBC][IC]A)',
    'J(?<=eyJ)',
    '[zZ](?<=[oO][rR][iI][zZ])[aA][tT]',
    '-(?:[tT][oO][kK][eE][nN]|[aA][pP][iI]-[kK][eE][yY])',
    '[bB](?:[eE][aA][rR][eE][rR]|[aA][sS][iI][cC])[ \\t]{1,8}[A-Za-z+/=._~-]{0,64}[0-9]',
    ':\\/\\/[^\\s/?#@]{0,769}@',
    '-----BEGIN ',
  ].join('|'),
)

/** Nearly every text has none, and is asked for the patterns themselves only where there is a trace of one. */
export const holdsToken = (text: string): boolean =>
  trace.test(text) && (anyAsWritten.test(text) || anyInEitherCase.test(text))
