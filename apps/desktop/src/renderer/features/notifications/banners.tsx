import type { EngineBanner } from '@shared/contract/app'
import type { ForgeId } from '@shared/model/ids'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { useNowBy } from '../../lib/clock'
import { bridge } from '../../lib/bridge'
import { engine } from '../../lib/engine-client'
import { openView } from '../../lib/navigation/store'
import { queryClient } from '../../lib/query-client'
import { queryKeyOf, useStatusPart } from '../../lib/use-query-entry'
import { useCommand } from '../../lib/use-command'
import { AccountLimitActions } from './account-limit-actions'
import { bannerWords, worstFirst } from './banner-words'
import { DiskFullActions } from './disk-full-actions'
import { LoginActions } from './login-actions'

/** One banner at a time, the worst; it goes when it is not true any more. */
export function Banners() {
  const banners = useStatusPart((status) => status.banners)
  const [worst, ...others] = worstFirst(banners ?? [])
  const now = useNowBy(worst?.code === 'forge_unreachable' ? 5_000 : 60_000)
  if (!worst) return <div />
  const words = bannerWords(worst, now)
  return (
    <Banner
      tone={worst.severity}
      icon={words.icon}
      title={words.title}
      test={words.test}
      moreCount={others.length}
      actions={<BannerActions banner={worst} />}
    >
      {words.text}
    </Banner>
  )
}

const openDiagnostics = (): void => openView({ screen: 'diagnostics' })
/** With a banner of a forge: at its access, to give it a token. */
function openForges(banner: EngineBanner | null): void {
  const access = banner === null ? null : forgeIdOf(banner)
  openView({ screen: 'forges', ...(access !== null && { access }) })
}

const forgeIdOf = ({ facts: { forgeId } }: EngineBanner): ForgeId | null =>
  typeof forgeId === 'number' ? (forgeId as ForgeId) : null

async function pollNow(banner: EngineBanner): Promise<void> {
  const forgeId = forgeIdOf(banner)
  if (forgeId !== null) await engine.command('forges.pollNow', { forgeId })
}

function BannerActions({ banner }: { readonly banner: EngineBanner }) {
  const build = useCommand('app.buildImage')
  switch (banner.code) {
    case 'docker_unreachable':
    case 'docker_not_permitted':
      return (
        <>
          <Button size="md2" icon="retry" label="Try now" onClick={() => void tryNow()} />
          <Button size="md2" icon="circle-help" label="How to start it" onClick={openDiagnostics} />
        </>
      )
    case 'docker_too_old':
      return (
        <>
          <Button size="md2" icon="retry" label="Try now" onClick={() => void tryNow()} />
          <Button size="md2" icon="circle-help" label="What is needed" onClick={openDiagnostics} />
        </>
      )
    case 'login_missing':
      return <LoginActions banner={banner} />
    case 'account_limit':
      return <AccountLimitActions banner={banner} />
    case 'image_missing':
      return (
        <Button
          size="md2"
          icon="package"
          label="Build it again"
          isBusy={build.isBusy}
          onClick={() => void build.run({})}
        />
      )
    case 'forge_unreachable':
      return <Button size="md2" icon="retry" label="Try now" onClick={() => void pollNow(banner)} />
    case 'forge_rate_limited':
      return null
    case 'forge_token':
      return <Button size="md2" icon="lock" label="Paste a new token" onClick={() => openForges(banner)} />
    case 'forge_project':
      return (
        <>
          <Button size="md2" icon="retry" label="Try now" onClick={() => void pollNow(banner)} />
          <Button size="md2" icon="plug" label="Open forges" onClick={() => openForges(null)} />
        </>
      )
    case 'disk_full':
      return <DiskFullActions banner={banner} />
    case 'database_locked':
    case 'not_writable':
      return <Button size="md2" label="Open diagnostics" onClick={openDiagnostics} />
    case 'database_damaged':
      return <Button size="md2" label="Quit" onClick={() => bridge().shell.quit()} />
  }
}

/** The doctor looks at everything at once, Docker first. */
async function tryNow(): Promise<void> {
  await engine.query('app.doctor', {}).catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: queryKeyOf('app.status', {}) })
}
