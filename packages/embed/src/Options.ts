/** Options of `open`. */
import type { components } from "@verbatim/client"

/** A job as the API shows it to a management key, without its transcript. */
export type Job = Omit<components["schemas"]["JobDetails"], "output">

/** The kinds of summaries. */
export type SummaryType = NonNullable<components["schemas"]["TranscriptionJson"]["summary"]>

/** A permission of a caller. */
export type Scope =
  | "presets:read"
  | "presets:write"
  | "transcriptions:read"
  | "transcriptions:write"
  | "usage:read"
  | `labels:${string}`

type MaybePromise<A> = A | PromiseLike<A>

/** A language code. Callers can request ISO 639-1 codes, such as `en`. */
export type LanguageCode = string

/**
 * A segment of speech, as recognised by an engine. Timestamps are in milliseconds from the start.
 */
export interface EngineSegment {
  readonly startMillis: number
  readonly endMillis: number
  readonly text: string
  /**
   * The speaker's name. Any string will do, because speakers are numbered in order of appearance.
   * Default: all segments have one speaker.
   */
  readonly speaker?: string
  readonly words?: ReadonlyArray<{
    readonly startMillis: number
    readonly endMillis: number
    readonly text: string
  }>
}

/** An engine's result. */
export interface EngineResult {
  /** The segments; empty if nothing was said. */
  readonly segments: ReadonlyArray<EngineSegment>
  /** An ISO 639 code. Default: the requested language, otherwise `und`. */
  readonly language?: LanguageCode
  /** Name of the engine and its model, for the history. Default: `host`. */
  readonly engine?: string
  /** Whether the engine used the keywords. Default: false. */
  readonly areKeywordsUsed?: boolean
  /** Whether the engine used the number of voices or the bounds on it. Default: false. */
  readonly isSpeakerCountUsed?: boolean
}

/** A recording for an engine. */
export interface Recording {
  /** A WAV file: 16 kHz, one channel, 16 bit. The file is removed when the call ends. */
  readonly path: string
  readonly durationMillis: number
  /** The recording's language; null to detect the language. */
  readonly language: LanguageCode | null
  /** A hint for words and spelling. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first. */
  readonly keywords: ReadonlyArray<string>
  /** Whether to skip silence. */
  readonly isVadFiltered: boolean
  /** Whether to distinguish speakers. */
  readonly isDiarized: boolean
  /** The number of voices, and its lower and upper bounds; null if unknown. */
  readonly speakerCount: number | null
  readonly speakerCountMin: number | null
  readonly speakerCountMax: number | null
  /** Aborted when the work must stop, because the process is closing or the job was removed. */
  readonly signal: AbortSignal
  /** Reports the progress, from 0 to 1. */
  readonly progress: (fraction: number) => void
}

/**
 * A host's own engine. After an error, the function is called again, for at most three calls in
 * total.
 */
export type Transcribe = (recording: Recording) => Promise<EngineResult>

/** A transcript. Timestamps are in whole milliseconds from the start of the file. */
export interface Transcript {
  readonly durationMillis: number
  readonly language: LanguageCode
  readonly segments: ReadonlyArray<{
    readonly startMillis: number
    readonly endMillis: number
    /** `speaker_0`, `speaker_1`, … in order of appearance. */
    readonly speaker: string
    readonly text: string
    readonly hasSpaceBefore?: boolean
    readonly words?: EngineSegment["words"]
  }>
}

/** A host's own summarizer. The transcript is data, never an instruction. */
export type Summarize = (request: {
  readonly type: SummaryType
  readonly transcript: Transcript
  readonly signal: AbortSignal
}) => Promise<string>

declare const engine: unique symbol

/** An engine from this package, such as `openai()`. */
export interface Engine {
  readonly [engine]: "transcriber"
}

/** The sender of a request, as returned by the host's `authenticate`. */
export interface Caller {
  /** The host's name for the workspace. The workspace is created on first use. */
  readonly workspace: string
  /** `management` can change presets. */
  readonly kind: "management" | "inference"
  /** The host's name for the user. Default: the workspace's first user. */
  readonly user?: string | undefined
  /**
   * The caller's permissions, as for a key. Default, or null: all permissions of the caller's kind,
   * except for moving protected labels. Moving a protected label requires `labels:<name>` in this
   * list.
   */
  readonly scopes?: ReadonlyArray<Scope> | null
}

/** The caller for this process's own calls. */
export interface Member extends Partial<Omit<Caller, "workspace">> {
  /** The host's name for a workspace, or a workspace id. Default: a workspace named `default`. */
  readonly workspace?: string | { readonly id: string } | undefined
}

/** The result that rejects a request's sender, with a message. */
export interface Rejection {
  /** The message, such as `The session has expired`. */
  readonly message: string
}

/**
 * Identifies the sender of a request; the body is not available here. A null result rejects the
 * request with `Not signed in`. An invalid result rejects the request too, and the log says what is
 * wrong with the result.
 */
export type Authenticate = (request: Request) => MaybePromise<Caller | Rejection | null | undefined>

/** The details passed to one call of `onFinished`. */
export interface Call {
  /**
   * All calls for the same end of a job have the same id, so a known id means that the call is a
   * retry.
   */
  readonly id: string
  /** The number of the call, from 1 to 3. */
  readonly attempt: number
  /** The job's workspace, with the host's name for it if there is one. */
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** A signal that is aborted after 30 seconds. */
  readonly signal: AbortSignal
}

/**
 * Called when a job and its webhook have ended. There may be two calls for the same end of a job.
 * After three failed calls, there are no more calls.
 */
export type OnFinished = (job: Job, call: Call) => MaybePromise<unknown>

/** A dependency that this process's worker cannot use. Work that needs the dependency waits. */
export interface Outage {
  readonly name: "media store" | "speech engine" | "summarizer" | "database"
  /** The dependency's own error without secrets, if the dependency sent one. */
  readonly cause?: string
}

/**
 * Called with all current outages when an outage begins or ends. Errors from the function are only
 * logged.
 */
export type OnOutages = (outages: ReadonlyArray<Outage>) => MaybePromise<unknown>

/** A function that receives the log lines. */
export interface Logger {
  readonly debug: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly info: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** An S3 bucket, or a bucket on a compatible server. Needs `@aws-sdk/client-s3`. */
export interface Bucket {
  readonly bucket: string
  readonly region: string
  /** The prefix of all object names, for example `media/`. */
  readonly prefix?: string
  /** The URL of a server other than Amazon's. */
  readonly endpoint?: string
  /** The access key. Default: the key in the environment. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** A session from a database pool. */
export interface HostSession {
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
  /** Returns the session to the pool, or closes it if `broken` is true or an error. */
  readonly release: (broken?: Error | boolean) => void
}

/** The host's Postgres pool, such as a `Pool` of `pg`. The host ends the pool. */
export interface HostPool {
  readonly connect: () => PromiseLike<HostSession>
}

/** An Effect `SqlClient` for Postgres or SQLite. The host closes the client. */
export interface HostSqlClient {
  readonly "~effect/sql/SqlClient": "~effect/sql/SqlClient"
}

/** A process's role: handling requests (`http`), or running jobs (`worker`). */
export type Role = "http" | "worker"

/** Concurrent attempts in this process. */
export interface Concurrency {
  readonly transcribe?: number
  /**
   * The number of pieces recognised concurrently, across all recordings. Default: the number of
   * cores.
   */
  readonly pieces?: number
  readonly summarize?: number
  readonly download?: number
  readonly webhook?: number
}

/** Number of days to keep data after the end of a job. Default: forever. */
export interface RetentionDays {
  readonly media?: number
  readonly transcript?: number
  readonly job?: number
}

/** The access granted to a console request: none, read, or read and write. */
export type ConsoleAccess = "none" | "read" | "write"

/** Decides what access a console request has. */
export type AuthorizeConsole = (request: Request) => MaybePromise<ConsoleAccess>

/** Options that every process has. */
export interface SharedOptions {
  /**
   * `sqlite:<file>`, `postgres://…`, the host's own Postgres pool or Effect `SqlClient`, or
   * `memory:` for data that need not outlive the process.
   */
  readonly database: `sqlite:${string}` | "memory:" | (string & {}) | HostPool | HostSqlClient
  /**
   * For a Postgres URL: the schema of the tables, created if missing. For a pool or client, set the
   * `search_path` of its sessions instead.
   */
  readonly schema?: string
  /**
   * A folder or a bucket. Default: `<file>-media` next to an SQLite file; `.verbatim/<name>/media`
   * for the database in a Postgres URL, with a subfolder for `schema` if that is given;
   * `.verbatim/media` for a pool or a client. With `memory:`, media is kept in a temporary folder,
   * which is created inside the given folder or the system's temporary folder.
   */
  readonly media?: string | Bucket
  /** Summarizes transcripts. Default: LexRank, which has no requirements. */
  readonly summarize?: Summarize
  /** Identifies the senders of HTTP requests. Default: by workspace keys. */
  readonly authenticate?: Authenticate
  /** The path of the API as clients see it. Default: `/v1/…` at the root. */
  readonly prefix?: `/${string}`
  /**
   * The console, at `/console` below the prefix. Users log in with a key; with `authorize`, which
   * requires `authenticate`, the host decides who can read and who can write. Default: none.
   */
  readonly console?: boolean | { readonly authorize: AuthorizeConsole }
  /** Whether agents can call the API over MCP, at `/mcp` below the prefix. Default: false. */
  readonly mcp?: boolean
  /** Called when a job has ended, successfully or not. */
  readonly onFinished?: OnFinished
  /** Called when a dependency of the worker fails or works again. */
  readonly onOutages?: OnOutages
  /** Default: warnings and errors on standard error. False turns off the log. */
  readonly logger?: Logger | false
  /**
   * `auto` uses the system's ffmpeg, otherwise WebAssembly from `@ffmpeg/core`. `none` is for tests
   * of your program: recordings are not read, and each recording is treated as a minute of silence.
   */
  readonly decoder?: "auto" | "system" | "wasm" | "none"
  /** Concurrent attempts of each kind in this process. Default: one for engines. */
  readonly concurrency?: Concurrency
  /**
   * Whether the recognised text of a piece is reused if the same audio is transcribed again in the
   * same workspace with the same settings. Default: true.
   */
  readonly reusePieces?: boolean
  /**
   * The minutes that a new workspace gets. Default: ten million, which is effectively unlimited.
   */
  readonly initialMinutes?: number
  /**
   * Whether schemas are compiled to functions, including those of the host's own `effect`. If
   * false, or if a policy forbids `new Function`, schemas are interpreted. Default: true.
   */
  readonly compiledSchemas?: boolean
  /** Maximum size of a file, in megabytes of 1,048,576 bytes. Default: 200. */
  readonly maxFileMegabytes?: number
  /**
   * Private networks that webhooks and downloads can reach, such as `10.0.0.0/8`. Default: none.
   */
  readonly allowedNetworks?: ReadonlyArray<string>
  /** Webhook secrets for workspaces that have none: `whsec_…`. */
  readonly webhookSecrets?: ReadonlyArray<string>
  /** How long recordings, transcripts and jobs are kept. Default: until they are deleted. */
  readonly retention?: RetentionDays
}

/**
 * Options of `open`. An engine is required unless the process leaves the work to other processes.
 */
export type Options = SharedOptions &
  (
    | {
        /** The roles of this process. Default: both. */
        readonly roles?: ReadonlyArray<Role>
        /** Your own function, or an engine such as `openai()` or `pocketsphinx()`. */
        readonly transcribe: Transcribe | Engine
      }
    | { readonly roles: readonly ["http"]; readonly transcribe?: undefined }
  )
