/**
 * Rare things that a run should meet now and then: a simulation that never sees them proves less
 * than it seems to.
 */

/** Every mark, in the order of the summary. */
export const marks = [
  "a lease lapsed and the worker committed late",
  "two engines worked on one job at once",
  "the answer to a commit was lost and the history settled it",
  "a third attempt crashed",
  "a request of a dead process took effect",
  "jobs were leased and nobody was told",
  "all processes were down at once",
  "a receiver saw its job PENDING while it was called",
  "a frozen process sent a webhook late",
  "a recording killed a process that heard another one",
  "a stop gave running work back",
  "a job was deleted while it waited",
  "a job was deleted while its media was fetched",
  "a job was deleted while an engine worked on it",
  "a job was deleted while it was summarised",
  "a job was deleted while its webhook was sent",
  "a job was deleted while its listener was called",
  "a job was deleted after its end",
  "a failed job was run again",
  "a notice let a summary or a webhook go first"
] as const

/** A rare thing. */
export type Mark = (typeof marks)[number]
