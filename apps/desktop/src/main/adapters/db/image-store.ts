import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { adapterIdSchema } from '@shared/model/words'
import type { BuiltImage, ImageStore } from '@main/ports/stores'
import { fromJson, toJson } from './row-values'

type ImageRow = Omit<BuiltImage, 'agents'> & { readonly agents: string }

const agentsSchema = z.array(adapterIdSchema)

const columns =
  'digest, tag, base, agents, size_bytes AS sizeBytes, recipe_sha256 AS recipeSha256, built_at AS builtAt'

/** Writes `images`. */
export function createImageStore(db: Database): ImageStore {
  const put = db.prepare<[ImageRow]>(
    `INSERT INTO images (digest, tag, base, agents, size_bytes, recipe_sha256, built_at)
     VALUES (:digest, :tag, :base, :agents, :sizeBytes, :recipeSha256, :builtAt)
     ON CONFLICT (digest) DO UPDATE SET tag = excluded.tag, base = excluded.base, agents = excluded.agents,
       size_bytes = excluded.size_bytes, recipe_sha256 = excluded.recipe_sha256, built_at = excluded.built_at`,
  )
  const findByRecipe = db.prepare<[string], ImageRow>(
    `SELECT ${columns} FROM images WHERE recipe_sha256 = ? ORDER BY built_at DESC LIMIT 1`,
  )
  const list = db.prepare<[], ImageRow>(`SELECT ${columns} FROM images ORDER BY built_at DESC, digest`)
  const remove = db.prepare<[string]>('DELETE FROM images WHERE digest = ?')

  return {
    put: (image) => {
      put.run({ ...image, agents: toJson(image.agents) })
    },
    findByRecipe: (recipeSha256) => {
      const row = findByRecipe.get(recipeSha256)
      return row === undefined ? null : toImage(row)
    },
    list: () => list.all().map(toImage),
    remove: (digest) => {
      remove.run(digest)
    },
  }
}

const toImage = (row: ImageRow): BuiltImage => ({ ...row, agents: agentsSchema.parse(fromJson(row.agents)) })
