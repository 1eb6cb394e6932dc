import { useRef, type RefObject } from 'react'
import type { MailboxFilter } from '@shared/model/words'
import { Button } from '../components/button'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../components/menu'
import { filters } from '../features/navigation/filters'
import { findAction, runAction } from '../lib/keyboard/actions'
import { keysOf } from '../lib/keyboard/key-map'
import { openHome } from '../lib/navigation/store'
import { setPreferences, usePreferences, type Theme } from '../lib/preferences'

/** Beside the list's title: which list, and the few switches of the window. */
export function ListMenu({
  filter,
  byWords,
}: {
  readonly filter: MailboxFilter
  /** Where no field beside the list does it; null: there is one. */
  readonly byWords: { readonly ask: () => void; readonly input: RefObject<HTMLInputElement | null> } | null
}) {
  const theme = usePreferences((state) => state.theme)
  const isGoingToType = useRef(false)
  const fieldToType = (): HTMLElement | null => {
    const field = isGoingToType.current ? byWords?.input.current : null
    isGoingToType.current = false
    return field ?? null
  }
  return (
    <>
      <Menu
        finalFocus={fieldToType}
        trigger={
          <Button variant="quiet" size="sm" icon="filter" isIconOnly label="Filter" test="list-filter" />
        }
      >
        <MenuChoice
          label="Show"
          value={filter}
          choices={filters.map((entry) => ({ value: entry.filter, label: entry.label }))}
          onChange={(next) => openHome({ filter: next, mailboxId: null })}
        />
        {byWords !== null && (
          <>
            <MenuSeparator />
            <MenuItem
              label="Filter by words"
              icon="search"
              keys={keysOf('filter-list')}
              onSelect={() => {
                isGoingToType.current = true
                byWords.ask()
              }}
              test="filter-by-words"
            />
          </>
        )}
      </Menu>
      <Menu
        trigger={
          <Button variant="quiet" size="sm" icon="ellipsis" isIconOnly label="More" test="list-more" />
        }
      >
        <MenuItem
          label={findAction('toggle-paused')?.label ?? 'Pause new runs'}
          icon="pause"
          keys="Ctrl+Shift+P"
          onSelect={() => void runAction('toggle-paused')}
          test="menu-pause"
        />
        {findAction('stop-all-runs') && (
          <MenuItem
            label="Stop all runs…"
            icon="square"
            onSelect={() => void runAction('stop-all-runs')}
            test="menu-stop-all"
          />
        )}
        <MenuSeparator />
        <MenuChoice<Theme>
          label="Theme"
          value={theme}
          choices={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={(next) => setPreferences({ theme: next })}
        />
        <MenuSeparator />
        <MenuItem
          label="List of keys"
          icon="keyboard"
          keys="?"
          onSelect={() => void runAction('show-keys')}
        />
        <MenuItem label="Quit Alfred" icon="log-out" keys="Ctrl+Q" onSelect={() => void runAction('quit')} />
      </Menu>
    </>
  )
}
