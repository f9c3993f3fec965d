/**
 * The refusals and failures of a call in OpenAI's form, as its clients read them. `x-should-retry`
 * is what its own packages ask before they repeat a call by themselves.
 */
import type { NotAnswered, NotSubmitted } from "@verbatim/core/services"
import type { SpeechRefused } from "@verbatim/core/speech"
import { knownExtensions } from "@verbatim/core/transcription"
import { Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { challengeHeaders } from "../../contract/ErrorBody.ts"
import {
  type SpeechFault,
  type SpeechStatus,
  toSpeechError
} from "../../contract/speech/SpeechErrors.ts"
import type { PartsError } from "../transcription/MultipartParts.ts"

/** A refusal, with what its answer says beside the body. */
export interface SpeechRefusal extends SpeechFault {
  readonly status: SpeechStatus
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes the answer. */
export const toAnswer = ({ headers = {}, status, ...fault }: SpeechRefusal) =>
  HttpServerResponse.jsonUnsafe(toSpeechError(status, fault), { status, headers })

/** Refuses whoever may not call any more, while the call waits. A host may know no keys. */
export const refuseCaller = ({ hasKey }: { readonly hasKey: boolean }) =>
  Effect.fail<SpeechRefusal>({
    status: 401,
    message: hasKey
      ? "The API key was revoked or has expired, or its workspace takes no requests any more"
      : "The caller may not call any more",
    headers: challengeHeaders
  })

/** A repeat would be told the same. */
const final = { "x-should-retry": "false" } as const

const comeAgain = (seconds: number) => ({ "retry-after": String(Math.max(1, Math.ceil(seconds))) })

type Failed = NotAnswered | NotSubmitted | PartsError | SpeechRefused

type Defect = "JobStoreError" | "MediaStoreError" | "WorkspaceNotFound" | "WorkspaceStoreError"

/** What is refused; failures of stores are not among it. */
type Refused = Exclude<Failed, { readonly _tag: Defect }>

type Table = {
  readonly [Tag in Refused["_tag"]]: (
    refused: Extract<Refused, { readonly _tag: Tag }>
  ) => SpeechRefusal
}

const about =
  (status: SpeechStatus, more: Partial<SpeechRefusal> = {}) =>
  ({ message }: { readonly message: string }): SpeechRefusal => ({ status, message, ...more })

const quota = { type: "insufficient_quota", code: "insufficient_quota", headers: final }

const supported = `Supported: ${knownExtensions.join(", ")}`

/** For a text, a URL say, that was sent as the file, too. */
const fileNameless =
  "Unsupported 'file': it must be sent as a file, with the name or the Content-Type of a " +
  `recording. ${supported}`

const table: Table = {
  SpeechRefused: ({ code, message, parameter }) => ({
    status: 400,
    message,
    code,
    param: parameter
  }),
  InvalidParameter: ({ message, parameter }) => ({
    status: 400,
    message,
    code: "invalid_value",
    param: parameter
  }),
  MalformedBody: about(400, { code: "invalid_body" }),
  UrlUnresolved: about(400),
  UrlUnreachable: about(400),
  InsufficientBalance: about(429, quota),
  IdempotencyConflict: about(409, { headers: final }),
  FileEmpty: about(400, {
    message: "Invalid 'file': it is empty",
    code: "invalid_value",
    param: "file"
  }),
  FileTooLarge: about(413, { param: "file" }),
  UnsupportedExtension: ({ extension, message }) => ({
    status: 415,
    message: extension === "" ? fileNameless : `${message}. ${supported}`,
    param: "file"
  }),
  LimitReached: ({ message, retryAfter }) => ({
    status: 429,
    message,
    headers: comeAgain(Duration.toSeconds(retryAfter))
  }),
  TooManyRepeats: about(429, { headers: comeAgain(1) }),
  TooManyUrlChecks: about(429, { headers: comeAgain(1) }),
  TooManyReaders: about(429, { headers: comeAgain(1) }),
  RequestNotFound: about(404, { message: "The transcription was deleted", headers: final }),
  ResultsRemoved: about(404),
  TranscriptMissing: about(500, { headers: final }),
  SpeechFailed: ({ isOfRequest, message }) =>
    isOfRequest
      ? { status: 400, message, code: "invalid_value", param: "file" }
      : { status: 500, message, code: "transcription_failed", headers: final },
  StillRunning: about(503, { headers: comeAgain(1) })
}

const isRefused = ({ _tag }: Failed): boolean => Object.hasOwn(table, _tag)

/** Tells a refusal as its caller knows it. A failed store dies: the edge logs it and answers. */
export const refuse = (failed: Failed): Effect.Effect<never, SpeechRefusal> => {
  if (!isRefused(failed)) return Effect.die(failed)
  const tell = table[failed._tag as Refused["_tag"]] as (same: Failed) => SpeechRefusal
  return Effect.fail(tell(failed))
}
