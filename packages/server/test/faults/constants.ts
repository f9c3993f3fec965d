/** Constants shared by both sides of the fault tests. */

/** The length of every recording after decoding. */
export const audioSeconds = 60

/** The pause between two webhook attempts. In production, the pause is 60 s; see `Member.ts`. */
export const redeliveryMillis = 2_000

/**
 * The variable that sets the time in milliseconds from the start of a killed attempt to the next
 * attempt. Only tests in which the killed process has certainly exited set this variable; otherwise
 * the next attempt waits until the lease expires.
 */
export const lostMillisVariable = "TEST_LOST_MILLIS"

/** The line that a process prints when all its parts are running. */
export const upLine = "The process is up"

/**
 * The line that an engine prints when it starts longer work, with the time at which the work will
 * end, in milliseconds since the epoch.
 */
export const workLine = (untilMillis: number): string => `works until ${untilMillis}`

/** Reads the time at which an engine's work will end. */
export const readWork = (line: string): number | undefined => {
  const [, until] = /^works until (\d+)$/.exec(line) ?? []
  return until === undefined ? undefined : Number(until)
}
