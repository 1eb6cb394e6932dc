import { homeQuestion } from '@shared/first-questions'
import { engine, type QueryChannel, type QueryInput, type QueryOutput } from '../lib/engine-client'

/*
 * What home shows first is asked for at once, in one question, before the code that draws it is run.
 */

/** A question that was asked. */
export interface Asked<C extends QueryChannel> {
  readonly answer: Promise<QueryOutput<C>>
  /** Undefined until it is there, and where the engine could not answer. */
  readonly value: QueryOutput<C> | undefined
}

export interface FirstAnswers {
  readonly home: Asked<'mailboxes.home'>
  readonly counts: Asked<'mailboxes.counts'>
  readonly projects: Asked<'mailboxes.projects'>
  readonly status: Asked<'app.status'>
  readonly info: Asked<'app.info'>
  /** Done once all is answered, well or not. */
  readonly done: Promise<unknown>
}

let asked: FirstAnswers | null = null

/** What was asked for the first picture; null where there is no engine to ask. */
export const firstAnswers = (): FirstAnswers | null => asked

/** Asks for all that the first picture shows. */
export function askForFirstPicture(): FirstAnswers {
  const questions = {
    home: ask('mailboxes.home', homeQuestion),
    counts: ask('mailboxes.counts', {}),
    projects: ask('mailboxes.projects', {}),
    status: ask('app.status', {}),
    info: ask('app.info', {}),
  }
  asked = { ...questions, done: Promise.allSettled(Object.values(questions).map(({ answer }) => answer)) }
  return asked
}

function ask<C extends QueryChannel>(channel: C, input: QueryInput<C>): Asked<C> {
  let value: QueryOutput<C> | undefined
  const answer = engine.query(channel, input).then((given) => (value = given))
  // whoever draws it hears of it
  answer.catch(() => undefined)
  return {
    answer,
    get value() {
      return value
    },
  }
}
