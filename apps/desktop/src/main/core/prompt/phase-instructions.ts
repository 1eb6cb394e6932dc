import type { Phase } from '@shared/model/words'

/*
 * What each phase asks of the agent, and how it hands its result back.
 */

const TASKS: Readonly<Record<Phase, readonly string[]>> = {
  analysis: [
    'Analyse this issue and make a plan for it. Read the code as far as you need. Change nothing: files you change and',
    'commits you make in this phase are thrown away.',
    'Give (1) a functional analysis: what is asked for and how one will see that it is done, for the people of the',
    'issue; (2) a technical plan: which files change and how, which tests are added, what could go wrong.',
    'If you cannot plan without knowing something that only people know, ask instead.',
  ],
  development: [
    'Do what the plan says, in the working directory, on the branch named above. Add or change tests, and run those',
    'that exist. Commit your work; only commits are handed over.',
  ],
  ci_fix: ['The checks of the change are red. Find out why, mend it on the branch named above and commit.'],
  review_fix: [
    'Answer the review of the change: mend what it asks for on the branch named above and commit.',
  ],
  conflict_resolution: [
    'The branch named above conflicts with its base. Merge the base into it, solve the conflicts and commit.',
  ],
  answer: [
    'Answer the question of this issue for the person who asked it. Read the code as far as you need. Change nothing:',
    'files you change and commits you make in this phase are thrown away.',
  ],
  chat: ['Answer the message below.'],
  terminal: [],
}

export const phaseInstructions = (phase: Phase): readonly string[] => TASKS[phase]

export const WORK_RULES = `## Rules for commits

- Stay on the branch named above. Make no other branch, no tag, and do not push: that is done for you.
- Small commits that each make sense alone; messages as this repository's history has them. They close no issue but
  this one, and call nobody.
- Do not rewrite commits that were there before you.
- Leave nothing uncommitted that belongs to the work.`

const RESULT_FIELDS: Readonly<Record<Phase, string>> = {
  analysis:
    '{"version":1,"phase":"analysis","outcome":"done","functional_analysis":"…","plan":"…","summary":"…"}',
  development:
    '{"version":1,"phase":"development","outcome":"done","summary":"what was done, for the description of the change"}',
  ci_fix: '{"version":1,"phase":"ci_fix","outcome":"done","summary":"…"}',
  review_fix: '{"version":1,"phase":"review_fix","outcome":"done","summary":"…"}',
  conflict_resolution: '{"version":1,"phase":"conflict_resolution","outcome":"done","summary":"…"}',
  answer: '{"version":1,"phase":"answer","outcome":"done","answer":"…"}',
  chat: '',
  terminal: '',
}

/** How the agent hands its result back; none in chat and terminal. */
export function resultInstructions(phase: Phase): readonly string[] {
  if (phase === 'chat' || phase === 'terminal') return []
  return [
    '## When you are done',
    '',
    'Write the file `/alfred/out/result.json` (where the variable ALFRED_OUT_FOLDER is set: into that folder). It is one',
    'JSON object, UTF-8, with these keys and no others; texts are Markdown:',
    '',
    RESULT_FIELDS[phase],
    '',
    'To ask instead, write',
    `{"version":1,"phase":"${phase}","outcome":"questions","questions":["…"]}`,
    'and if there is nothing to do',
    `{"version":1,"phase":"${phase}","outcome":"nothing","summary":"why"}`,
  ]
}
