/** What both sides of the fault tests must know. */

/** The length of every recording, as decoded. */
export const audioSeconds = 60

/** Between two attempts of one webhook. A user's are 60 s apart; see `Member.ts`. */
export const redeliveryMillis = 2_000

/** What a process says once everything in it runs. */
export const upLine = "The process is up"
