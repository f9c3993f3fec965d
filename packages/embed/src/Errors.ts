/** Errors that `open` rejects with, and errors that a host's engine can throw. */

/** Further properties of an error, for programs. */
export type Details = Readonly<Record<string, unknown>>

interface Failure {
  /** A machine-readable code. */
  readonly code: string
  readonly message: string
  readonly details?: Details
  readonly cause?: unknown
}

/** The error with which `open` rejects. */
export abstract class OpenError extends Error {
  /** A machine-readable code. */
  readonly code: string
  readonly details: Details

  constructor({ cause, code, details = {}, message }: Failure) {
    super(message === "" ? code : message, cause === undefined ? {} : { cause })
    this.code = code
    this.details = details
  }
}

/**
 * Thrown if an option is missing, unknown or invalid, or if the Node version is too old (`code` is
 * `NodeTooOld`).
 */
export class InvalidOptions extends OpenError {
  override readonly name = "InvalidOptions"
}

/** Thrown if the database is currently unavailable. A later attempt may succeed. */
export class DatabaseUnavailable extends OpenError {
  override readonly name = "DatabaseUnavailable"
}

/**
 * Throw this error from your `transcribe` if the engine cannot be reached, or refuses your key,
 * model or account. The attempt is then not counted, and jobs wait for up to a day.
 */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable"
}

/**
 * Throw this error from your `transcribe` if the engine refuses the recording. The job then fails.
 */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused"
}
