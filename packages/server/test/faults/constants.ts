/** What both sides of the fault tests must know. */

/** The length of every recording, as decoded. */
export const audioSeconds = 60

/** Between two attempts of one webhook. A user's are 60 s apart; see `Member.ts`. */
export const redeliveryMillis = 2_000

/**
 * Names a variable with the milliseconds from the start of an attempt whose process was killed to
 * the next one, where no process is left that could still be at it. Without it a lease must lapse.
 */
export const lostMillisVariable = "TEST_LOST_MILLIS"

/** What a process says once everything in it runs. */
export const upLine = "The process is up"

/** What it says when an engine begins something that takes a while: until when, since the epoch. */
export const workLine = (untilMillis: number): string => `works until ${untilMillis}`

/** Until when an engine of a process works, as it said. */
export const readWork = (line: string): number | undefined => {
  const [, until] = /^works until (\d+)$/.exec(line) ?? []
  return until === undefined ? undefined : Number(until)
}
