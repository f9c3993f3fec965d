/** Errors that `open` rejects with, and errors that a host's engine can throw. */

/** Additional properties of an error, for programs. */
export type Details = Readonly<Record<string, unknown>>

interface Failure {
  /** A machine-readable code. */
  readonly code: string
  readonly message: string
  readonly details?: Details
  readonly cause?: unknown
}

/** The error if Verbatim cannot be opened. */
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
 * The error for a missing, unknown or invalid option, or for a Node version that is too old (`code`
 * is `NodeTooOld`).
 */
export class InvalidOptions extends OpenError {
  override readonly name = "InvalidOptions"
}

/** The error for a database that is currently unavailable. A later attempt may succeed. */
export class DatabaseUnavailable extends OpenError {
  override readonly name = "DatabaseUnavailable"
}

/**
 * The error for an engine that is unreachable, or that refuses your key, model or account. If a
 * host's `transcribe` throws this error, the attempt is not counted, and jobs wait for up to a day.
 */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable"
}

/**
 * The error for a recording that the engine refuses. If a host's `transcribe` throws this error,
 * the job fails.
 */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused"
}
