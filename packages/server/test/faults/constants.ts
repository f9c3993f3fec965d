/** Defines constants that the processes under test and the test itself share. */

/** Every recording has this length after it was decoded. */
export const audioSeconds = 60

/** Pause between two webhook attempts. In production, it is 60 s; see `Member.ts`. */
export const redeliveryMillis = 2_000

/**
 * This variable sets the milliseconds from the start of a killed attempt to the next one. A test
 * may set it only if the killed process has certainly exited. Otherwise, the next attempt must wait
 * until the lease expires.
 */
export const lostMillisVariable = "TEST_LOST_MILLIS"

/** A process prints this line when all its parts are running. */
export const upLine = "The process is up"

/**
 * Builds the line that an engine prints when it starts longer work. The line contains the time when
 * the work will end, in milliseconds since the epoch.
 */
export const workLine = (untilMillis: number): string => `works until ${untilMillis}`

/** Reads the time when an engine's work will end from its line. */
export const readWork = (line: string): number | undefined => {
  const [, until] = /^works until (\d+)$/.exec(line) ?? []
  return until === undefined ? undefined : Number(until)
}
