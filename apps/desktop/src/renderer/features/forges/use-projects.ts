import { useEffect, useState } from 'react'
import { engine, type CommandInput, type CommandOutput } from '../../lib/engine-client'
import { forgeProblem } from './forge-problem'

type Found = CommandOutput<'forges.projects'>

export interface FoundProjects {
  readonly found: Found | null
  readonly problem: string | null
  readonly isAsking: boolean
  readonly askAgain: () => void
}

const limit = 200
const typingPauseMs = 250

/**
 * Projects that the account may write. The forge is asked once; typing only filters what came, unless there are more
 * than that.
 */
export function useProjects(target: CommandInput<'forges.projects'>['target'], text: string): FoundProjects {
  const [all, setAll] = useState<Found | null>(null)
  const [some, setSome] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(true)
  const [attempt, setAttempt] = useState(1)
  const key = JSON.stringify(target)
  const isMore = all !== null && all.total > limit
  const search = isMore ? text.trim() : ''

  useEffect(() => {
    let isLeft = false
    const ask = async (): Promise<void> => {
      setAsking(true)
      const answer = await engine.command('forges.projects', { target: JSON.parse(key), search, limit })
      if (isLeft) return
      setAsking(false)
      setProblem(answer.ok ? null : forgeProblem(answer.error))
      if (!answer.ok) return
      if (search === '') setAll(answer.value)
      setSome(answer.value)
    }
    const timer = setTimeout(() => void ask(), search === '' ? 0 : typingPauseMs)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [key, search, attempt])

  const wanted = text.trim().toLowerCase()
  const shown = isMore || all === null ? some : filtered(all, wanted)
  return { found: shown, problem, isAsking, askAgain: () => setAttempt(attempt + 1) }
}

function filtered(all: Found, wanted: string): Found {
  const projects = all.projects.filter(({ path }) => path.toLowerCase().includes(wanted))
  return { ...all, projects, total: projects.length }
}
