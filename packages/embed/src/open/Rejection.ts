/** What a host catches, made of what went wrong inside. */
import { Cause, Duration } from "effect"
import {
  type Details,
  Fault,
  InvalidInput,
  NotFound,
  Refused,
  Unavailable,
  VerbatimError
} from "../Errors.ts"

/** The errors of core by what a host can do about them. What is not here is refused. */
const classes: Readonly<
  Record<string, typeof InvalidInput | typeof NotFound | typeof Unavailable>
> = {
  InvalidParameter: InvalidInput,
  InvalidRequest: InvalidInput,
  UnsupportedExtension: InvalidInput,
  FileEmpty: InvalidInput,
  FileTooLarge: InvalidInput,
  UrlUnresolved: InvalidInput,
  UrlUnreachable: InvalidInput,
  TokenUnacceptable: InvalidInput,
  ScopeBeyondKind: InvalidInput,
  RequestNotFound: NotFound,
  PresetNotFound: NotFound,
  VersionNotFound: NotFound,
  LabelNotFound: NotFound,
  CorrectionsNotFound: NotFound,
  PeaksMissing: NotFound,
  WorkspaceNotFound: NotFound,
  CorrectionStoreError: Unavailable,
  JobStoreError: Unavailable,
  PresetStoreError: Unavailable,
  WorkspaceStoreError: Unavailable,
  MediaStoreError: Unavailable,
  MediaFetcherError: Unavailable,
  MigrationError: Unavailable,
  SqlError: Unavailable
}

/** What every error has: it is no detail of any. */
const errorFields = new Set(["_tag", "cause", "message", "name", "stack"])

const toDetail = (value: unknown): unknown =>
  Duration.isDuration(value) ? Duration.toMillis(value) : value

const detailsOf = (error: object): Details =>
  Object.fromEntries(
    Object.entries(error)
      .filter(([name]) => !errorFields.has(name))
      .map(([name, value]) => [name, toDetail(value)])
  )

const isTagged = (error: unknown): error is Error & { readonly _tag: string } =>
  error instanceof Error && typeof Reflect.get(error, "_tag") === "string"

/** A failure as a host catches it. A fault of its own, such as of its stream, stays as it is. */
const toRejection = (error: unknown): unknown => {
  if (error instanceof VerbatimError || !isTagged(error)) return error
  const { _tag: code, message } = error
  const Kind = classes[code] ?? Refused
  // What a driver carries is for its cause alone.
  const details = Kind === Unavailable ? {} : detailsOf(error)
  return new Kind({ code, message, details, cause: error })
}

/** The same for everything that an effect can end with, but its success. */
export const rejectionOf = (cause: Cause.Cause<unknown>): unknown => {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) return toRejection(failure.error)
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect instanceof VerbatimError) return defect
  const message = "Something went wrong inside Verbatim"
  return new Fault({ code: "Fault", message, cause: defect ?? Cause.pretty(cause) })
}
