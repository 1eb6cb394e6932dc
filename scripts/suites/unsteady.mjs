// Tests on real containers, servers and windows may fail for what has nothing to do with the code. In CI such a test is
// tried once more. That is told each time, and when it happens to more than a few, all of them have failed.

/** So many tests of thousands may need a second try. */
const mostUnsteady = 3

/** `unsteady` of the passed ones did so only when they were repeated. */
export function judgeUnsteady({ passed, failed, unsteady }) {
  if (unsteady <= mostUnsteady)
    return { passed, failed, verdict: `up to ${mostUnsteady} may, and each is a defect to be found` }
  return {
    passed: passed - unsteady,
    failed: failed + unsteady,
    verdict: `more than ${mostUnsteady}, which counts as failed`,
  }
}
