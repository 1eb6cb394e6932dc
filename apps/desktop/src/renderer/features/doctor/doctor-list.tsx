import type { DoctorLine } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Icon, type IconName } from '../../components/icon'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { copyText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { groupTitles, stateLooks } from './doctor-words'
import { ImageProgress, useImageBuild } from './image-progress'

export interface DoctorListProps {
  readonly lines: readonly DoctorLine[]
  readonly onCheckAgain: () => void
}

const groups = ['computer', 'forges', 'agents'] as const

/** What was checked, by group; a failed line has exactly one way to mend it. */
export function DoctorList({ lines, onCheckAgain }: DoctorListProps) {
  return groups.map((group) => {
    const ofGroup = lines.filter((line) => line.group === group)
    if (ofGroup.length === 0) return null
    return (
      <section key={group} aria-labelledby={`doctor-${group}`} className="mb-3">
        <h2 id={`doctor-${group}`} className="mb-1 text-12 font-semibold text-ink-2">
          {groupTitles[group]}
        </h2>
        <ul className="card overflow-hidden">
          {ofGroup.map((line) => (
            <Line key={line.check} line={line} onCheckAgain={onCheckAgain} />
          ))}
        </ul>
      </section>
    )
  })
}

function Line({ line, onCheckAgain }: { readonly line: DoctorLine; readonly onCheckAgain: () => void }) {
  const look = stateLooks[line.state]
  const build = useImageBuild()
  const isBuilding = line.fix?.action === 'build_image' && build.isBuilding
  return (
    <li
      className="border-b border-line px-3.5 py-1 last:border-b-0"
      data-test="doctor-line"
      data-check={line.check}
      data-state={isBuilding ? 'checking' : line.state}
    >
      <div className="grid min-h-[30px] grid-cols-[24px_minmax(104px,168px)_minmax(0,1fr)_auto] items-center gap-x-2.5">
        <span className={isBuilding ? stateLooks.checking.tone : look.tone} title={look.words}>
          <Icon name={isBuilding ? stateLooks.checking.icon : look.icon} size={17} />
          <span className="sr">{`${look.words}: `}</span>
        </span>
        <span className="cut font-medium" title={line.title}>
          {line.title}
        </span>
        <span className="cut text-12 text-ink-2 selectable" title={line.detail}>
          {isBuilding ? build.words : line.detail}
        </span>
        {isBuilding ? <ImageProgress build={build} /> : <span />}
      </div>
      {line.fix && !isBuilding && (
        <Fix fix={line.fix} onCheckAgain={onCheckAgain} onBuild={build.start} problem={build.problem} />
      )}
    </li>
  )
}

interface FixProps {
  readonly fix: NonNullable<DoctorLine['fix']>
  readonly onCheckAgain: () => void
  readonly onBuild: () => void
  readonly problem: string | null
}

function Fix({ fix, onCheckAgain, onBuild, problem }: FixProps) {
  const { command } = fix
  return (
    <div className="mb-1 ml-[34px] flex flex-wrap items-center gap-2 rounded-control bg-sunken py-1.5 pr-2 pl-2.5 text-12 leading-[17px]">
      <span className="min-w-40 flex-1">
        {fix.text}
        {fix.action === 'build_image' && problem !== null && (
          <span className="block text-bad">{problem}</span>
        )}
      </span>
      {command !== null && (
        <>
          <code className="text-11 text-ink-2 selectable">{command}</code>
          <Button
            size="sm"
            icon="copy"
            label="Copy"
            spokenLabel={`Copy the command ${command}`}
            onClick={() => {
              copyText(command)
              showToast({ title: 'Command copied' })
            }}
          />
        </>
      )}
      {fix.action !== null && (
        <Button
          size="sm"
          variant="primary"
          {...fixLooks[fix.action]}
          test="doctor-fix"
          onClick={{ ...openers, build_image: onBuild, check_again: onCheckAgain }[fix.action]}
        />
      )}
    </div>
  )
}

type FixAction = NonNullable<FixProps['fix']['action']>

const fixLooks: Readonly<Record<FixAction, { readonly icon: IconName; readonly label: string }>> = {
  build_image: { icon: 'package', label: 'Build the image' },
  check_again: { icon: 'retry', label: 'Check again' },
  open_forges: { icon: 'plug', label: 'Open forges' },
  open_settings: { icon: 'settings', label: 'Open settings' },
}

const openers = {
  open_forges: () => openView({ screen: 'forges' }),
  open_settings: () => openView(settingsView),
}
