import { z } from 'zod'
import { mailboxFilterSchema } from '@shared/contract/mailboxes'
import { mailboxIdSchema, projectIdSchema, runIdSchema } from '@shared/model/ids'
import { settingScopeSchema } from '@shared/model/settings'

/** Everything that the window can show in its body. Overlays (palette, dialogs) are not places and have no link. */
export const viewSchema = z.discriminatedUnion('screen', [
  z.object({
    screen: z.literal('home'),
    filter: mailboxFilterSchema,
    projectId: projectIdSchema.nullable(),
    /** Null: the first of the list. */
    mailboxId: mailboxIdSchema.nullable(),
    /** The row to select on the timeline; null: the newest, or where one was. */
    runId: runIdSchema.nullable(),
  }),
  z.object({ screen: z.literal('run'), runId: runIdSchema }),
  z.object({ screen: z.literal('agents') }),
  z.object({
    screen: z.literal('settings'),
    scope: settingScopeSchema.nullable(),
    scopeId: z.number().int().min(0).nullable(),
    /** The key to show first. */
    key: z.string().max(100).nullable(),
  }),
  z.object({ screen: z.literal('diagnostics') }),
  z.object({ screen: z.literal('first-start') }),
  z.object({
    screen: z.literal('tracker'),
    projectId: projectIdSchema.nullable(),
    iid: z.number().int().positive().nullable(),
  }),
])
export type View = z.infer<typeof viewSchema>
export type Screen = View['screen']
export type HomeView = Extract<View, { screen: 'home' }>

export const homeView: HomeView = {
  screen: 'home',
  filter: 'all-open',
  projectId: null,
  mailboxId: null,
  runId: null,
}
export const settingsView: Extract<View, { screen: 'settings' }> = {
  screen: 'settings',
  scope: null,
  scopeId: null,
  key: null,
}

/** Whether two views are the same place, so that going there is no step. */
export const isSameView = (a: View, b: View): boolean => JSON.stringify(a) === JSON.stringify(b)
