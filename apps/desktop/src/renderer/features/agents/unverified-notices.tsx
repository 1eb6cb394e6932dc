import { useEffect, useState } from 'react'
import type { InstallationRow } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { announce } from '../../lib/announcer'
import { copyText } from '../../lib/shell'
import { installationKey } from './group-installations'
import { isUnverified, pinnedVersion } from './installation-words'

/** A word on each CLI whose runs all start fresh because nobody has tried its version, with a line that mends it. */
export function UnverifiedNotices({ rows }: { readonly rows: readonly InstallationRow[] }) {
  return rows.filter(isUnverified).map((row) => <UnverifiedNotice key={installationKey(row)} row={row} />)
}

const copiedForMs = 1_500

function UnverifiedNotice({ row }: { readonly row: InstallationRow }) {
  const { adapter, version, imageTag, verifiedRange, pinLine } = row
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (line: string): void => {
    copyText(line)
    setCopied(true)
    announce('pin line', `Copied the line that installs ${adapter} ${pinnedVersion(line)}`)
  }
  return (
    <Notice
      tone="warn"
      icon="warning"
      className="mx-4 my-3.5 items-center"
      test="unverified-notice"
      title={`${adapter} ${version ?? ''} in ${imageTag ?? 'its image'} starts every run fresh.`}
      actions={
        pinLine !== null && (
          <Button
            size="sm"
            label={isCopied ? 'Copied' : 'Copy pin line'}
            spokenLabel={isCopied ? 'Copied' : `Copy pin line of ${adapter}: ${pinLine}`}
            title={pinLine}
            test="copy-pin-line"
            onClick={() => copy(pinLine)}
          />
        )
      }
    >
      {pinLine === null
        ? `It works, but nobody has proven that it can resume. Verified: ${verifiedRange ?? 'no version'}.`
        : `It works, but nobody has proven that it can resume. The next app update may verify it, or pin ${pinnedVersion(pinLine)} in the image.`}
    </Notice>
  )
}
