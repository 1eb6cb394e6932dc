import { create } from 'zustand'

/*
 * What a person writes about an issue and has not sent. It outlives the pane in which it is written, so that a look at
 * the change, the sessions or another issue loses none of it; the end of the window does.
 */

/** A hook that holds one text for each key; null: nothing is written there. */
function createUnsent<T>(): (key: string) => readonly [T | null, (value: T | null) => void] {
  const useAll = create<{ readonly held: ReadonlyMap<string, T> }>(() => ({ held: new Map() }))
  return (key) => [
    useAll(({ held }) => held.get(key) ?? null),
    (value) =>
      useAll.setState(({ held }) => {
        const next = new Map(held)
        if (value === null) next.delete(key)
        else next.set(key, value)
        return { held: next }
      }),
  ]
}

export interface IssueDraft {
  readonly title: string
  readonly body: string
  /** When the issue had last changed as the edit began. */
  readonly since: number
}

export const useIssueDraft = createUnsent<IssueDraft>()
export const useCommentDraft = createUnsent<string>()

/** The key of what is written about this issue; with a comment, of that comment's new text. */
export const draftKey = (
  issue: { readonly projectId: number; readonly iid: number },
  commentId: string | null = null,
): string => [issue.projectId, issue.iid, commentId ?? 'new'].join(':')
