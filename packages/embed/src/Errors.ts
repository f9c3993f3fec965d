/** What `open` rejects with, and what a host's engine may throw. */

/** What an error may carry. */
export type Details = Readonly<Record<string, unknown>>

interface Failure {
  /** For programs: what exactly happened. */
  readonly code: string
  readonly message: string
  readonly details?: Details
  readonly cause?: unknown
}

/** Why Verbatim could not be opened. */
export abstract class OpenError extends Error {
  /** For programs: what exactly happened. */
  readonly code: string
  readonly details: Details

  constructor({ cause, code, details = {}, message }: Failure) {
    super(message === "" ? code : message, cause === undefined ? {} : { cause })
    this.code = code
    this.details = details
  }
}

/** An option is missing, unknown or wrong, or this Node is too old (`code` is `NodeTooOld`). */
export class InvalidOptions extends OpenError {
  override readonly name = "InvalidOptions"
}

/** The database cannot serve now. Later it may. */
export class DatabaseUnavailable extends OpenError {
  override readonly name = "DatabaseUnavailable"
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
