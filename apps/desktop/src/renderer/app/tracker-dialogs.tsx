import { Button } from '../components/button'
import { useNavigation } from '../lib/navigation/store'
import { openIssues } from './use-window-actions'
import { closeOverlay, openOverlay, useOverlays } from '../lib/overlays'
import { FindSessionsDialog, NewIssueDialog, NewProjectDialog } from './screens'

const closeIf = (isOpen: boolean): void => {
  if (!isOpen) closeOverlay()
}

/** The dialogs that make something: a new issue, a new project, a memory of a session made by hand. */
export function TrackerDialogs() {
  const overlay = useOverlays((state) => state.overlay)
  const kind = overlay?.kind
  const projectId = useNavigation(({ view }) => ('projectId' in view ? view.projectId : null))
  return (
    <>
      {kind === 'new-issue' && <NewIssueDialog isOpen onOpenChange={closeIf} projectId={projectId} />}
      {overlay?.kind === 'find-sessions' && (
        <FindSessionsDialog
          mailboxId={overlay.mailboxId}
          reference={overlay.reference}
          onClose={closeOverlay}
        />
      )}
      {kind === 'new-project' && <NewProjectDialog isOpen onOpenChange={closeIf} />}
    </>
  )
}

/** Below the projects: all issues of the built-in forge, and what makes one more. */
export function TrackerButtons() {
  return (
    <div className="mt-2 flex flex-wrap gap-1 px-0.5">
      <Button
        size="sm"
        variant="quiet"
        icon="list"
        label="All issues"
        spokenLabel="All issues of the built-in forge"
        test="open-issues"
        onClick={openIssues}
      />
      <Button
        size="sm"
        variant="quiet"
        icon="plus"
        label="Issue"
        spokenLabel="New issue"
        test="new-issue"
        onClick={() => openOverlay({ kind: 'new-issue' })}
      />
      <Button
        size="sm"
        variant="quiet"
        icon="plus"
        label="Project"
        spokenLabel="New project of the built-in forge"
        test="new-project"
        onClick={() => openOverlay({ kind: 'new-project' })}
      />
    </div>
  )
}
