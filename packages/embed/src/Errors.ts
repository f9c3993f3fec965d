/**
 * What a host catches: a few classes by what can be done about it. `code` tells exactly what
 * happened, and `details` what it carries.
 */

/** What an error may carry. */
export type Details = Readonly<Record<string, unknown>>

interface Told {
  readonly code: string
  readonly message: string
  readonly details?: Details
  readonly cause?: unknown
}

/** Whatever Verbatim rejects with. */
export abstract class VerbatimError extends Error {
  abstract readonly _tag: string
  /** For programs: what exactly happened. */
  readonly code: string
  readonly details: Details

  constructor({ cause, code, details = {}, message }: Told) {
    super(message === "" ? code : message, cause === undefined ? {} : { cause })
    this.code = code
    this.details = details
  }

  override get name(): string {
    return this._tag
  }
}

/** Something that was given is wrong. The same again fails again. */
export class InvalidInput extends VerbatimError {
  readonly _tag = "InvalidInput"
}

/** There is no such job, preset, version or workspace. */
export class NotFound extends VerbatimError {
  readonly _tag = "NotFound"
}

/** It was understood, and is not done: a balance, a limit, a state, another's change. */
export class Refused extends VerbatimError {
  readonly _tag = "Refused"
}

/** A database, a media store or an engine did not do its part. Later it may. */
export class Unavailable extends VerbatimError {
  readonly _tag = "Unavailable"
}

/** Verbatim was closed while something was waited for, or before it was asked. */
export class Closed extends VerbatimError {
  readonly _tag = "Closed"

  constructor() {
    super({ code: "Closed", message: "Verbatim was closed" })
  }
}

/** An option is missing, unknown or wrong, or this Node is too old (`code` is `NodeTooOld`). */
export class InvalidOptions extends VerbatimError {
  readonly _tag = "InvalidOptions"
}

/** A fault of Verbatim itself. The cause is for a report. */
export class Fault extends VerbatimError {
  readonly _tag = "Fault"
}

/**
 * The engine is out of reach, or refuses your key, model or account. Thrown by a `transcribe` of a
 * host, the attempt is not counted, and jobs wait up to a day.
 */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable"
}

/** The engine refuses this recording. Thrown by a `transcribe` of a host, the job has failed. */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused"
}
