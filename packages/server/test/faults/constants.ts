/** Constants for both sides of the fault tests. */

/** The decoded length of every recording. */
export const audioSeconds = 60

/**
 * The pause between two attempts of a webhook. In production, the pause is 60 s; see `Member.ts`.
 */
export const redeliveryMillis = 2_000

/**
 * Names the variable with the milliseconds from the start of an attempt whose process was killed to
 * the next attempt, for tests in which that process has certainly ended. If the variable is unset,
 * a lease must expire.
 */
export const lostMillisVariable = "TEST_LOST_MILLIS"

/** The line that a process prints once all its parts run. */
export const upLine = "The process is up"

/** The line that an engine prints when it starts longer work, with the end time since the epoch. */
export const workLine = (untilMillis: number): string => `works until ${untilMillis}`

/** Reads the time until which an engine works. */
export const readWork = (line: string): number | undefined => {
  const [, until] = /^works until (\d+)$/.exec(line) ?? []
  return until === undefined ? undefined : Number(until)
}
