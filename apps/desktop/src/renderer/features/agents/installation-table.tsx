import type { AgentImageRow, InstallationRow } from '@shared/contract/app'
import { isoWithOffset } from '@shared/format/times'
import { Badge } from '../../components/badge'
import { Chip } from '../../components/chip'
import { Icon } from '../../components/icon'
import { useMinute } from '../../lib/clock'
import { installationKey, type InstallationGroup } from './group-installations'
import { imageUseWords, isUnverified, resumeWords, shortDigest, unverifiedWords } from './installation-words'
import { agoWords, loginLookOf, projectLoginsOf } from './login-words'

export interface InstallationTableProps {
  readonly group: InstallationGroup
  /** Undefined until it is known, and for this computer. */
  readonly image: AgentImageRow | undefined
  readonly selectedKey: string | null
  readonly onSelect: (row: InstallationRow) => void
}

/** The CLIs of one image or of this computer, a line each. */
export function InstallationTable({ group, image, selectedKey, onSelect }: InstallationTableProps) {
  const isHost = group.runner === 'host'
  return (
    <section aria-label={isHost ? 'This computer' : (group.imageTag ?? 'Image')}>
      <div className="flex items-center gap-2.5 px-4 pt-3 pb-1.5 text-12">
        <Icon name={isHost ? 'cpu' : 'box'} size={15} className="text-ink-3" />
        <b className="flex-none">{isHost ? 'This computer' : group.imageTag}</b>
        {group.imageDigest !== null && (
          <span className="cut font-mono text-11 text-ink-3 selectable" title={group.imageDigest}>
            {shortDigest(group.imageDigest)}
          </span>
        )}
        <Chip text={group.runner} />
        <span className="grow" />
        {isHost && (
          <span className="flex-none text-11 text-ink-3">
            only used when a project asks for the host runner
          </span>
        )}
        {image !== undefined && (
          <span
            className="cut text-11 text-ink-3"
            title={imageUseWords(image)}
            data-test="image-use"
            data-value={image.projects ?? ''}
          >
            {imageUseWords(image)}
          </span>
        )}
      </div>
      <table className="data-table table-fixed">
        <thead>
          <tr>
            <th className="w-[104px] pl-4">Adapter</th>
            <th className="w-[74px]">Version</th>
            <th>Resumable</th>
            <th className="w-[152px]">Verified range</th>
            <th className="w-[116px]">Login</th>
            <th className="w-[84px] text-right">Checked</th>
          </tr>
        </thead>
        <tbody>
          {group.rows.map((row) => (
            <Row
              key={installationKey(row)}
              row={row}
              isSelected={installationKey(row) === selectedKey}
              onSelect={() => onSelect(row)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly row: InstallationRow
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function Row({ row, isSelected, onSelect }: RowProps) {
  const now = useMinute()
  const login = loginLookOf(row, now)
  const why = isUnverified(row) ? [unverifiedWords, ...row.projectReasons].join(' ') : resumeWords(row)
  // what is not there, or never could, has lost nothing
  const isNoLoss = row.runner === 'host' || row.version === null || row.statePath === null
  return (
    <tr
      className={isSelected ? 'bg-selected' : 'hover:bg-hover'}
      data-test="installation-row"
      data-adapter={row.adapter}
      data-runner={row.runner}
      aria-selected={isSelected}
      onClick={onSelect}
    >
      <td className={isSelected ? 'pl-4 shadow-[inset_2px_0_0_var(--accent-fill)]' : 'pl-4'}>
        <button type="button" className="font-medium" aria-pressed={isSelected} onClick={onSelect}>
          {row.adapter}
        </button>
      </td>
      <td className="cut font-mono" data-test="installation-version" data-value={row.version ?? ''}>
        {row.version ?? <span className="text-ink-3">–</span>}
      </td>
      <td aria-label={`${row.resumable ? 'Yes' : 'No'}, ${why}`}>
        <span className="flex items-center gap-2">
          <span className="flex-none">
            <Badge
              icon={row.resumable ? 'link' : isNoLoss ? 'minus' : 'unlink'}
              tone={row.resumable ? 'ok' : isNoLoss ? 'outline' : 'lost'}
              text={row.resumable ? 'Yes' : 'No'}
              test="resumable"
              value={row.resumable ? 'yes' : 'no'}
            />
          </span>
          <span
            className="text-12 text-ink-2 [overflow-wrap:anywhere]"
            data-test="resumable-reason"
            data-value={[row.reason ?? '', ...row.projectReasons].join(' ').trim()}
          >
            {why}
          </span>
        </span>
      </td>
      <td
        className="cut font-mono text-11 text-ink-2"
        data-test="verified-range"
        data-value={row.verifiedRange ?? ''}
      >
        {row.verifiedRange ?? '–'}
      </td>
      <td data-test="login-check" data-value={row.loginState} data-ends-at={row.loginEndsAt ?? ''}>
        {row.version === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <>
            <span className={`flex items-center gap-1 whitespace-nowrap ${login.tone}`}>
              <Icon name={login.icon} size={13} />
              {login.text}
            </span>
            {projectLoginsOf(row, now).map(({ text, tone }) => (
              <span key={text} className={`block text-11 [overflow-wrap:anywhere] ${tone}`}>
                {text}
              </span>
            ))}
          </>
        )}
      </td>
      <td
        className="text-right whitespace-nowrap text-ink-3"
        data-test="last-check"
        data-value={row.detectedAt}
        title={isoWithOffset(row.detectedAt)}
      >
        {agoWords(now - row.detectedAt)}
      </td>
    </tr>
  )
}
