import { alfredLogin } from '@main/core/forge/login'
import { existing, toFlag } from '../../db/row-values'
import type { LocalDatabase } from './local-database'

export interface PersonRow {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly email: string | null
  readonly isAlfred: 0 | 1
}

export interface NewPerson {
  readonly login: string
  readonly name: string
  readonly email: string | null
}

export interface PeopleStore {
  /** Alfred's own account, made when missing; there is one. */
  ensureAlfred(at: number): PersonRow
  /** The person with this login, made when missing; name and email follow what is given. */
  ensure(person: NewPerson, at: number): PersonRow
  add(person: NewPerson, at: number): PersonRow
  get(id: number): PersonRow
  findByLogin(login: string): PersonRow | null
  list(): readonly PersonRow[]
}

const columns = 'id, login, name, email, is_alfred AS isAlfred'

/** Writes `local_people`. */
export function createPeopleStore(db: LocalDatabase): PeopleStore {
  const insert = db.prepare<[string, string, string | null, number, number], PersonRow>(
    `INSERT INTO local_people (login, name, email, is_alfred, created_at) VALUES (?, ?, ?, ?, ?) RETURNING ${columns}`,
  )
  const update = db.prepare<[string, string | null, number]>(
    'UPDATE local_people SET name = ?, email = ? WHERE id = ?',
  )
  const get = db.prepare<[number], PersonRow>(`SELECT ${columns} FROM local_people WHERE id = ?`)
  const byLogin = db.prepare<[string], PersonRow>(`SELECT ${columns} FROM local_people WHERE login = ?`)
  const alfred = db.prepare<[], PersonRow>(`SELECT ${columns} FROM local_people WHERE is_alfred = 1`)
  const list = db.prepare<[], PersonRow>(`SELECT ${columns} FROM local_people ORDER BY is_alfred, login`)

  const add = (person: NewPerson, isAlfred: boolean, at: number): PersonRow =>
    existing(insert.get(person.login, person.name, person.email, toFlag(isAlfred), at), 'person', 0)

  return {
    ensureAlfred: (at) => alfred.get() ?? add({ login: alfredLogin, name: 'Alfred', email: null }, true, at),
    ensure: (person, at) => {
      const found = byLogin.get(person.login)
      if (found === undefined) return add(person, false, at)
      if (found.name === person.name && found.email === person.email) return found
      update.run(person.name, person.email, found.id)
      return { ...found, name: person.name, email: person.email }
    },
    add: (person, at) => add(person, false, at),
    get: (id) => existing(get.get(id), 'person', id),
    findByLogin: (login) => byLogin.get(login) ?? null,
    list: () => list.all(),
  }
}
