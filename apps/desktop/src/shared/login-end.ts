/** A login that ends sooner is told of, so that a person renews it before runs wait. */
export const loginSoonMs = 7 * 24 * 60 * 60_000

/** Whether it ends so soon that a person should know; null: it does not end, or nobody can say. */
export const endsSoon = (endsAt: number | null, now: number): endsAt is number =>
  endsAt !== null && endsAt - now < loginSoonMs

/** One unit is enough: `6d`, `23h`, `5m`. */
export function leftUntil(at: number, now: number): string {
  const ms = Math.max(0, at - now)
  if (ms >= 86_400_000) return `${Math.floor(ms / 86_400_000)}d`
  return ms >= 3_600_000 ? `${Math.floor(ms / 3_600_000)}h` : `${Math.floor(ms / 60_000)}m`
}
