import type { OpenedDatabase } from '../../db/open-database'

/** The app's database, in which the local forge has the tables `local_*`. */
export type LocalDatabase = OpenedDatabase['db']
