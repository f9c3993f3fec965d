/** Constants of both sides of the fault tests. */

/** The decoded length of every recording. */
export const audioSeconds = 60

/** Between two attempts of a webhook. In production 60 s; see `Member.ts`. */
export const redeliveryMillis = 2_000

/**
 * Names the variable with the milliseconds from the start of an attempt whose process was killed to
 * the next attempt, for tests in which that process is surely gone. Without it a lease must expire.
 */
export const lostMillisVariable = "TEST_LOST_MILLIS"

/** The line of a process once all its parts run. */
export const upLine = "The process is up"

/** The line of an engine that starts longer work: until when, since the epoch. */
export const workLine = (untilMillis: number): string => `works until ${untilMillis}`

/** Reads until when an engine works. */
export const readWork = (line: string): number | undefined => {
  const [, until] = /^works until (\d+)$/.exec(line) ?? []
  return until === undefined ? undefined : Number(until)
}
