/*
 * The environment that every git of ours runs in: nothing of the person's or the system's configuration,
 * no hooks, no templates, no questions, and no transport but the one that the call names.
 */

/** Variables of the app's own process that git may see: where programs, proxies and certificates are. */
const passedOn = [
  'PATH',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]

/** Git knows this object without having it: a tree without attributes. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export type GitConfigEntry = readonly [key: string, value: string]

const fixedConfig: readonly GitConfigEntry[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  // An attribute in the tree could hide a file from the diff that a person reads.
  ['attr.tree', emptyTree],
  ['core.askPass', ''],
  // Above this size git streams a file instead of holding it in memory, and shows no diff of it.
  ['core.bigFileThreshold', '64m'],
  ['core.quotePath', 'false'],
  ['core.longPaths', 'true'],
  ['init.defaultBranch', 'main'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['http.followRedirects', 'false'],
  ['submodule.recurse', 'false'],
]

/** `homeFolder` is an empty folder of ours, so that nothing is found there. */
export function gitEnvironment(
  homeFolder: string,
  config: readonly GitConfigEntry[] = [],
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of passedOn) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return {
    ...environment,
    HOME: homeFolder,
    XDG_CONFIG_HOME: homeFolder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    ...configAsEnvironment([...fixedConfig, ...config]),
    ...extra,
  }
}

/** Configuration by environment instead of `-c`, so that none of it shows in a process list. */
function configAsEnvironment(entries: readonly GitConfigEntry[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) }
  for (const [index, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}
