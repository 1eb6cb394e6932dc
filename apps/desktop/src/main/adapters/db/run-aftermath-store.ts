import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Run } from '@shared/model/records'
import { adapterIdSchema, phaseSchema, triggerSchema } from '@shared/model/words'
import { resumeChoiceSchema } from '@shared/model/ids'
import type { RunStore } from '@main/ports/stores'
import { existing, fromJson, selectList, toFlag, toJson } from './row-values'
import { runColumns } from './run-store'

/** The part of the run store that remembers, over a crash, what is still to be done for a run. */
export type RunAftermathStore = Pick<
  RunStore,
  'setUnsettled' | 'listUnsettled' | 'setSuccessor' | 'successorOf' | 'addCutOff' | 'cutOffs'
>

const waitingSchema = z.object({
  phase: phaseSchema,
  trigger: triggerSchema,
  requestedBy: z.string().nullable(),
  resumeChoice: resumeChoiceSchema,
})
const successorSchema = waitingSchema.extend({
  terminal: z
    .object({ adapter: adapterIdSchema, provider: z.string().nullable(), model: z.string().nullable() })
    .optional(),
  behind: waitingSchema.optional(),
})

/** Writes `runs`, the columns that are no part of a run's record. */
export function createRunAftermathStore(db: Database): RunAftermathStore {
  const setUnsettled = db.prepare<[number, number]>('UPDATE runs SET is_unsettled = ? WHERE id = ?')
  const listUnsettled = db.prepare<[], Run>(
    `SELECT ${selectList(runColumns)} FROM runs INDEXED BY runs_unsettled WHERE is_unsettled = 1 ORDER BY id`,
  )
  const setSuccessor = db.prepare<[string | null, number]>('UPDATE runs SET successor = ? WHERE id = ?')
  const find = db.prepare<[number], { successor: string | null; cutOffs: number }>(
    'SELECT successor, cut_offs AS cutOffs FROM runs WHERE id = ?',
  )
  const addCutOff = db.prepare<[number]>('UPDATE runs SET cut_offs = cut_offs + 1 WHERE id = ?')

  return {
    setUnsettled: (id, isUnsettled) => {
      setUnsettled.run(toFlag(isUnsettled), id)
    },
    listUnsettled: () => listUnsettled.all(),
    setSuccessor: (id, successor) => {
      setSuccessor.run(successor === null ? null : toJson(successor), id)
    },
    successorOf: (id) => {
      const { successor } = existing(find.get(id), 'run', id)
      return successor === null ? null : successorSchema.parse(fromJson(successor))
    },
    addCutOff: (id) => {
      addCutOff.run(id)
    },
    cutOffs: (id) => existing(find.get(id), 'run', id).cutOffs,
  }
}
