/** Options of `open`. */
import type { components } from "@verbatim/client"

/** A job as a management key sees it in the API, without its transcript. */
export type Job = Omit<components["schemas"]["JobDetails"], "output">

/** The kinds of summaries. */
export type SummaryType = NonNullable<components["schemas"]["TranscriptionJson"]["summary"]>

/** One permission of a caller. */
export type Scope =
  | "presets:read"
  | "presets:write"
  | "transcriptions:read"
  | "transcriptions:write"
  | "usage:read"
  | `labels:${string}`

type MaybePromise<A> = A | PromiseLike<A>

/** An ISO 639 code. Callers can request two-letter codes, such as `en`. */
export type LanguageCode = string

/**
 * A segment of recognised speech. Timestamps are in milliseconds from the start of the recording.
 */
export interface EngineSegment {
  readonly startMillis: number
  readonly endMillis: number
  readonly text: string
  /**
   * The speaker's name, which can be any string, because Verbatim numbers speakers in order of
   * appearance. Default: all segments have one speaker.
   */
  readonly speaker?: string
  readonly words?: ReadonlyArray<{
    readonly startMillis: number
    readonly endMillis: number
    readonly text: string
  }>
}

/** The transcript that an engine returns. */
export interface EngineResult {
  /** The segments; empty if the recording contains no speech. */
  readonly segments: ReadonlyArray<EngineSegment>
  /** The language as an ISO 639 code. Default: the requested language, or `und` without one. */
  readonly language?: LanguageCode
  /** The engine's name and model, for the job's history. Default: `host`. */
  readonly engine?: string
  /** Whether the engine used the keywords. Default: false. */
  readonly areKeywordsUsed?: boolean
  /** Whether the engine used the number of voices or its bounds. Default: false. */
  readonly isSpeakerCountUsed?: boolean
}

/** The recording that an engine gets, with the job's parameters. */
export interface Recording {
  /**
   * The path of a WAV file: 16 kHz, one channel, 16 bit. The file is removed when the call ends.
   */
  readonly path: string
  readonly durationMillis: number
  /** The recording's language, or null to detect it. */
  readonly language: LanguageCode | null
  /** A hint for words and spelling. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first. */
  readonly keywords: ReadonlyArray<string>
  /** Whether to skip silence. */
  readonly isVadFiltered: boolean
  /** Whether to tell speakers apart. */
  readonly isDiarized: boolean
  /** The number of voices, and its lower and upper bounds. Unknown numbers are null. */
  readonly speakerCount: number | null
  readonly speakerCountMin: number | null
  readonly speakerCountMax: number | null
  /** Aborted when the work must stop, because the process closes or the job was removed. */
  readonly signal: AbortSignal
  /** Reports progress, from 0 to 1. */
  readonly progress: (fraction: number) => void
}

/** Your own engine. After an error, the engine is called again, up to three times in total. */
export type Transcribe = (recording: Recording) => Promise<EngineResult>

/**
 * A transcript to summarize. Timestamps are in whole milliseconds from the start of the recording.
 */
export interface Transcript {
  readonly durationMillis: number
  readonly language: LanguageCode
  readonly segments: ReadonlyArray<{
    readonly startMillis: number
    readonly endMillis: number
    /** `speaker_0`, `speaker_1` and so on, in order of appearance. */
    readonly speaker: string
    readonly text: string
    readonly hasSpaceBefore?: boolean
    readonly words?: EngineSegment["words"]
  }>
}

/** Your own summarizer. Treat the transcript as data, never as instructions. */
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

/** The sender of a request, as your `authenticate` identifies it. */
export interface Caller {
  /** Your name for the workspace, which is created on first use. */
  readonly workspace: string
  /** Only `management` can change presets. */
  readonly kind: "management" | "inference"
  /** Your name for the user. Default: the workspace's first user. */
  readonly user?: string | undefined
  /**
   * The sender's permissions, like the scopes of a key. Default, or null: every permission of the
   * sender's kind, except for moving protected labels. Moving one requires `labels:<name>` in this
   * list.
   */
  readonly scopes?: ReadonlyArray<Scope> | null
}

/** The caller on whose behalf this process calls the API. */
export interface Member extends Partial<Omit<Caller, "workspace">> {
  /** Your name for a workspace, or its id. Default: the workspace named `default`. */
  readonly workspace?: string | { readonly id: string } | undefined
}

/** Return this to reject the sender of a request with a message. */
export interface Rejection {
  /** The message, such as `The session has expired`. */
  readonly message: string
}

/**
 * Identifies the sender of a request, without access to the body. Null rejects the request with
 * `Not signed in`. An invalid result rejects the request too, and the log says what is wrong with
 * it.
 */
export type Authenticate = (request: Request) => MaybePromise<Caller | Rejection | null | undefined>

/** Describes one call of `onFinished`. */
export interface Call {
  /**
   * All calls for the same end of a job have this id. If you know the id already, the call is a
   * retry.
   */
  readonly id: string
  /** The number of the call, from 1 to 3. */
  readonly attempt: number
  /** The job's workspace, with your name for it if it has one. */
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** A signal that is aborted after 30 seconds. */
  readonly signal: AbortSignal
}

/**
 * Called when a job and its webhook have ended. The same end of a job can cause two calls. After
 * three failed calls, there are no more.
 */
export type OnFinished = (job: Job, call: Call) => MaybePromise<unknown>

/**
 * A dependency that this process's worker cannot use at the moment. Work that needs the dependency
 * waits.
 */
export interface Outage {
  readonly name: "media store" | "speech engine" | "summarizer" | "database"
  /** The dependency's own error message, without secrets, if it sent one. */
  readonly cause?: string
}

/**
 * Called with all current outages when one begins or ends. If this function throws, the error is
 * only logged.
 */
export type OnOutages = (outages: ReadonlyArray<Outage>) => MaybePromise<unknown>

/** Receives the lines of the log. */
export interface Logger {
  readonly debug: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly info: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** An S3 bucket, or a bucket on a compatible server. Buckets need `@aws-sdk/client-s3`. */
export interface Bucket {
  readonly bucket: string
  readonly region: string
  /** A prefix for all object names, such as `media/`. */
  readonly prefix?: string
  /** The URL of a server that is not Amazon's. */
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

/** Your Postgres pool, such as a `Pool` of `pg`. Verbatim never ends the pool. */
export interface HostPool {
  readonly connect: () => PromiseLike<HostSession>
}

/** An Effect `SqlClient` for Postgres or SQLite. Verbatim never closes the client. */
export interface HostSqlClient {
  readonly "~effect/sql/SqlClient": "~effect/sql/SqlClient"
}

/** The role of a process: `http` handles requests, and `worker` runs jobs. */
export type Role = "http" | "worker"

/** Maximum number of concurrent attempts of each kind in this process. */
export interface Concurrency {
  readonly transcribe?: number
  /**
   * Maximum number of pieces that are recognised concurrently, across all recordings. Default: the
   * number of cores.
   */
  readonly pieces?: number
  readonly summarize?: number
  readonly download?: number
  readonly webhook?: number
}

/** Number of days for which data is kept after the end of a job. Default: forever. */
export interface RetentionDays {
  readonly media?: number
  readonly transcript?: number
  readonly job?: number
}

/** The access that a console request gets: none, read, or read and write. */
export type ConsoleAccess = "none" | "read" | "write"

/** Decides which access a console request gets. */
export type AuthorizeConsole = (request: Request) => MaybePromise<ConsoleAccess>

/** Options that every process has. */
export interface SharedOptions {
  /**
   * `sqlite:<file>`, `postgres://…`, your own Postgres pool or Effect `SqlClient`, or `memory:` for
   * data that can be lost when the process ends.
   */
  readonly database: `sqlite:${string}` | "memory:" | (string & {}) | HostPool | HostSqlClient
  /**
   * The schema of the tables, for a Postgres URL. A missing schema is created. For a pool or a
   * client, set the `search_path` of its sessions instead.
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
  /** Identifies the senders of HTTP requests. Default: requests need a workspace's key. */
  readonly authenticate?: Authenticate
  /** The path of the API, as clients see it. Default: `/v1/…` at the root. */
  readonly prefix?: `/${string}`
  /**
   * The console, at `/console` below the prefix. Users log in with a key, unless you set
   * `authorize`, which decides who can read and who can write and requires `authenticate`. Default:
   * no console.
   */
  readonly console?: boolean | { readonly authorize: AuthorizeConsole }
  /** Whether agents can call the API over MCP, at `/mcp` below the prefix. Default: false. */
  readonly mcp?: boolean
  /** Called when a job has ended, successfully or not. */
  readonly onFinished?: OnFinished
  /** Called when a dependency of the worker stops working, and when it works again. */
  readonly onOutages?: OnOutages
  /**
   * Receives the log. False turns the log off. Default: warnings and errors go to standard error.
   */
  readonly logger?: Logger | false
  /**
   * `auto` uses the system's ffmpeg, or else WebAssembly from `@ffmpeg/core`. `none` is for your
   * program's tests: it reads no recordings, and treats each as a minute of silence.
   */
  readonly decoder?: "auto" | "system" | "wasm" | "none"
  /**
   * Maximum number of concurrent attempts of each kind in this process. Default: one for engines.
   */
  readonly concurrency?: Concurrency
  /**
   * Whether the text of a piece is reused if the same workspace transcribes the same audio with the
   * same settings again. Default: true.
   */
  readonly reusePieces?: boolean
  /**
   * The minutes that a new workspace gets. Default: ten million, which is effectively unlimited.
   */
  readonly initialMinutes?: number
  /**
   * Whether schemas are compiled to functions, including your own Effect schemas. Schemas are
   * interpreted if this is false, or if a policy forbids `new Function`. Default: true.
   */
  readonly compiledSchemas?: boolean
  /** Maximum size of a recording, in megabytes of 1,048,576 bytes. Default: 200. */
  readonly maxFileMegabytes?: number
  /**
   * Private networks that webhooks and downloads can access, such as `10.0.0.0/8`. Default: none.
   */
  readonly allowedNetworks?: ReadonlyArray<string>
  /** Secrets that sign webhooks for workspaces without their own secrets: `whsec_…`. */
  readonly webhookSecrets?: ReadonlyArray<string>
  /**
   * The time for which recordings, transcripts and jobs are kept. Default: until they are deleted.
   */
  readonly retention?: RetentionDays
}

/** Options of `open`. An engine is required, unless other processes do the work. */
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
