import type { ImageCli } from '@shared/model/words'
import type { VersionRange } from './version-range'

/**
 * The versions of each CLI whose sessions are resumed, bounds included: both ends have passed the checks on the real
 * binary (`npm run test:clis`), with the same command line. Outside of them every run starts fresh, and says why.
 */
export const resumeVersions: Readonly<Record<ImageCli, readonly VersionRange[]>> = {
  // Before, a session cannot be given a name.
  'claude-code': [{ from: '2.1.90', to: '2.1.332' }],
  // Before, it tells its tokens in another way, and does not know `--ephemeral`.
  codex: [{ from: '0.99.0', to: '0.171.0' }],
  // Before 1.18 there is no `--auto`.
  opencode: [{ from: '1.18.3', to: '1.18.33' }],
  // Before 1.0.100 its telemetry cannot be switched off: `--disable-client-telemetry` is refused. Of the versions since
  // then the registry has this one.
  copilot: [{ from: '1.0.102', to: '1.0.102' }],
  // The oldest that can be had.
  'grok-build': [{ from: '1.0.5', to: '1.0.41' }],
}
