/** What was thrown, for a log: the stack where there is one. */
export const stackOf = (defect: unknown): string =>
  defect instanceof Error ? (defect.stack ?? defect.message) : String(defect)
