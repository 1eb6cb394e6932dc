import { Dialog } from '../../components/dialog'
import { Kbd } from '../../components/kbd'
import { Switch } from '../../components/switch'
import { findAction, useOffers } from '../../lib/keyboard/actions'
import { actionIds, keyMap, type ActionDefinition, type ActionId } from '../../lib/keyboard/key-map'
import { closeOverlay } from '../../lib/overlays'
import { setPreferences, usePreferences } from '../../lib/preferences'

const groups: readonly ActionDefinition['group'][] = [
  'Everywhere',
  'Lists',
  'Selected run',
  'Transcript',
  'Chat',
]

/** Keys that a list has of its own and that are no action. */
const listKeys: readonly (readonly [string, string])[] = [
  ['J', 'Next row'],
  ['K', 'Previous row'],
  ['Home', 'First row; also g g'],
  ['End', 'Last row'],
  ['Left', 'Fold, or the pane before'],
  ['Right', 'Unfold, or the next pane'],
]

/** Keys of what is written in a chat. */
const composerKeys: readonly (readonly [string, string])[] = [
  ['Enter', 'Send'],
  ['Shift+Enter', 'New line'],
  ['Esc', 'Stop the turn'],
]

/** All keys that do something where the window is now. */
export function KeyList() {
  const offers = useOffers((state) => state.offers)
  const hasLetterKeys = usePreferences((state) => state.letterKeys)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && closeOverlay()}
      title="Keys"
      className="w-[680px]"
      test="key-list"
    >
      <div className="mt-3 flex items-center gap-2.5 text-12 text-ink-2">
        <Switch
          label="Single letters as keys"
          isOn={hasLetterKeys}
          onChange={(letterKeys) => setPreferences({ letterKeys })}
          test="letter-keys"
        />
        Single letters work while a list, a timeline or a transcript has the focus.
      </div>
      <div className="mt-3 columns-2 gap-8">
        {groups.map((group) => (
          <KeyGroup
            key={group}
            group={group}
            ids={actionIds.filter((id) => keyMap[id].group === group && findAction(id, offers))}
          />
        ))}
      </div>
    </Dialog>
  )
}

function KeyGroup({
  group,
  ids,
}: {
  readonly group: ActionDefinition['group']
  readonly ids: readonly ActionId[]
}) {
  const withKeys = ids.filter((id) => keyMap[id].keys.length > 0)
  if (withKeys.length === 0) return null
  return (
    <section className="mb-3 break-inside-avoid">
      <h3 className="mb-1 text-11 font-semibold text-ink-3">{group}</h3>
      <dl>
        {withKeys.map((id) => (
          <KeyRow key={id} label={keyMap[id].label} keys={keyMap[id].keys} />
        ))}
        {group === 'Lists' &&
          listKeys.map(([keys, label]) => <KeyRow key={keys} label={label} keys={[keys]} />)}
        {group === 'Chat' &&
          composerKeys.map(([keys, label]) => <KeyRow key={keys} label={label} keys={[keys]} />)}
      </dl>
    </section>
  )
}

function KeyRow({ label, keys }: { readonly label: string; readonly keys: readonly string[] }) {
  return (
    <div className="flex items-center gap-2 py-[3px] text-12">
      <dt className="grow">{label}</dt>
      <dd className="flex flex-none gap-1">
        {keys.slice(0, 2).map((key) => (
          <span key={key}>
            <Kbd keys={key} />
            <span className="sr">{key.replaceAll('+', ' ')}</span>
          </span>
        ))}
      </dd>
    </div>
  )
}
