import { useEffect, useState } from 'react'
import type { InstallationRow } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { announce } from '../../lib/announcer'
import { copyText } from '../../lib/shell'
import { installationKey } from './group-installations'
import { doesNotStart, isUnverified, noticeWords, pinnedVersion } from './installation-words'

/**
 * A word on each CLI whose runs all start fresh because nobody has tried its version, or do not start at all, with a line
 * that mends it.
 */
export function UnverifiedNotices({ rows }: { readonly rows: readonly InstallationRow[] }) {
  return rows
    .filter((row) => isUnverified(row) || (row.runner === 'container' && doesNotStart(row)))
    .map((row) => <UnverifiedNotice key={installationKey(row)} row={row} />)
}

const copiedForMs = 1_500

function UnverifiedNotice({ row }: { readonly row: InstallationRow }) {
  const { adapter, version, imageTag, pinLine } = row
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
      title={`${adapter} ${version ?? ''} in ${imageTag ?? 'its image'} ${doesNotStart(row) ? 'does not start' : 'starts every run fresh'}.`}
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
      {noticeWords(row)}
    </Notice>
  )
}
