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
  "a receiver got a webhook three times",
  "a webhook was received, yet ended in FAILED",
  "a webhook was delivered by its third attempt",
  "a receiver saw its job PENDING while it was called",
  "a frozen process sent a webhook late",
  "a recording killed a process that heard another one",
  "a job ended because its work was interrupted too often",
  "a job ran although its client was never told its id",
  "a version was written although its writer was told otherwise",
  "a job was refused for want of minutes",
  "a stop gave running work back",
  "a job was deleted while it waited",
  "a job was deleted while its media was fetched",
  "a job was deleted while an engine worked on it",
  "a job was deleted while it was summarised",
  "a job was deleted while its webhook was sent",
  "a job was deleted while its listener was called",
  "a job was deleted after its end",
  "a webhook was sent although its job was deleted",
  "a webhook was delivered again",
  "a failed job was run again",
  "a listener was called again although it had returned",
  "a notice was told by its third call",
  "a notice failed",
  "a notice failed although a listener had returned",
  "a repeat was told the job of a request whose answer was lost",
  "a repeat came with another request",
  "a repeat came after its job was deleted",
  "a key stood for another job a day later",
  "a job came or went while the jobs were listed",
  "a webhook was signed under two secrets",
  "media went when its time was over",
  "a transcript went when its time was over",
  "a job went when its time was over",
  "a job whose time was over was wanted again in time",
  "a job was wanted again too late"
] as const

/** A rare thing. */
export type Mark = (typeof marks)[number]
