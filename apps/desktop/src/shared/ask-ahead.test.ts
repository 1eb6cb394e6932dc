import { describe, expect, it } from 'vitest'
import { askAhead } from './ask-ahead'
import { firstQuestions, homeQuestion } from './first-questions'

function ahead() {
  const asked: string[] = []
  const answers = askAhead((channel) => {
    asked.push(channel)
    return Promise.resolve(`answer of ${channel}`)
  })
  return { asked, answers }
}

describe('what the first picture shows', () => {
  it('is asked at once, and each answer is given to who asks the same first', async () => {
    const { asked, answers } = ahead()
    expect(asked).toEqual(firstQuestions.map(([channel]) => channel))
    expect(await answers.take('mailboxes.home', structuredClone(homeQuestion))).toBe(
      'answer of mailboxes.home',
    )
    // an answer grows old: who asks again asks the engine
    expect(answers.take('mailboxes.home', homeQuestion)).toBeNull()
  })

  it('is no answer to another question', () => {
    const { answers } = ahead()
    expect(answers.take('mailboxes.home', { ...homeQuestion, sessions: 1 })).toBeNull()
    expect(answers.take('settings.list', {})).toBeNull()
  })

  it('is dropped where nobody took it', () => {
    const { answers } = ahead()
    answers.drop()
    expect(answers.take('app.info', {})).toBeNull()
  })
})
