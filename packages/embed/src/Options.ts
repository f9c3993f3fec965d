/** Options of `open`. */
import type { components } from "@verbatim/client"

/** A job as the API shows it to a management key, without its transcript. */
export type Job = Omit<components["schemas"]["JobDetails"], "output">

/** The kinds of summaries. */
export type SummaryType = NonNullable<components["schemas"]["TranscriptionJson"]["summary"]>

/** What a caller may do. */
export type Scope =
  | "presets:read"
  | "presets:write"
  | "transcriptions:read"
  | "transcriptions:write"
  | "usage:read"
  | `labels:${string}`

type MaybePromise<A> = A | PromiseLike<A>

/** The codes a caller may ask for are those of ISO 639-1, such as `en`. */
export type LanguageCode = string

/** A stretch of speech, as an engine heard it. Times are milliseconds from the start. */
export interface HeardSegment {
  readonly startMillis: number
  readonly endMillis: number
  readonly text: string
  /** Any name: speakers are numbered as they appear. Left out, one speaker says everything. */
  readonly speaker?: string
  readonly words?: ReadonlyArray<{
    readonly startMillis: number
    readonly endMillis: number
    readonly text: string
  }>
}

/** What an engine heard. */
export interface Heard {
  /** Empty when nothing was said. */
  readonly segments: ReadonlyArray<HeardSegment>
  /** A code of ISO 639. Default: the requested language, else `und`. */
  readonly language?: LanguageCode
  /** Name of the engine, and of its model, for the history. Default: `host`. */
  readonly engine?: string
  /** Whether the engine used the keywords. Default: no. */
  readonly areKeywordsUsed?: boolean
  /** Whether the engine used the number of voices. Default: no. */
  readonly isSpeakerCountUsed?: boolean
}

/** What an engine gets. */
export interface Recording {
  /** A WAV file: 16 kHz, one channel, 16 bit. It is gone when the call ends. */
  readonly path: string
  readonly durationMillis: number
  /** Null to detect it. */
  readonly language: LanguageCode | null
  /** A hint about words and spelling. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first. */
  readonly keywords: ReadonlyArray<string>
  /** Whether silence may be left out. */
  readonly isVadFiltered: boolean
  /** Whether to distinguish speakers. */
  readonly isDiarized: boolean
  /** How many voices there are; null where that is unknown. */
  readonly speakerCount: number | null
  /** Aborted when the work is to stop: the process closes, or the job was removed. */
  readonly signal: AbortSignal
  /** Takes how much is done, from 0 to 1. */
  readonly progress: (fraction: number) => void
}

/** A host's own engine. What it throws is tried again, three times in all. */
export type Recognise = (recording: Recording) => Promise<Heard>

/** A transcript. Times are whole milliseconds from the start of the file. */
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
    readonly words?: HeardSegment["words"]
  }>
}

/** A host's own summarizer. What was said is data: nothing in it is an instruction. */
export type Summarise = (request: {
  readonly type: SummaryType
  readonly transcript: Transcript
  readonly signal: AbortSignal
}) => Promise<string>

declare const engine: unique symbol

/** An engine from one of the doors of this package. */
export interface Engine {
  readonly [engine]: "transcriber"
}

/** Who sends a request. */
export interface Caller {
  /** The host's name for the workspace, which is made when it is first named. */
  readonly workspace: string
  /** `management` may change presets. */
  readonly kind: "management" | "inference"
  /** The host's name for the user. Left out: the first user of the workspace. */
  readonly user?: string | undefined
  /**
   * What the caller may do of what the kind may, as of a key. Left out, or null: all of it, but for
   * protected labels, each of which takes `labels:<name>` here.
   */
  readonly scopes?: ReadonlyArray<Scope> | null
}

/** For whom calls of this process are made. */
export interface Member extends Partial<Omit<Caller, "workspace">> {
  /** The host's name for a workspace, or the id of one. Default: a workspace named `default`. */
  readonly workspace?: string | { readonly id: string } | undefined
}

/** A sender who is refused. */
export interface Stranger {
  /** The message of the refusal, such as `The session has expired`. */
  readonly message: string
}

/**
 * Identifies the sender of a request, which has no body here. Null refuses it with `Not signed in`;
 * so does an answer of any other shape, and the log says what is wrong with that.
 */
export type Authenticate = (request: Request) => MaybePromise<Caller | Stranger | null | undefined>

/** One call of `onFinished`. */
export interface Call {
  /** The same in all calls for one end of a job: a host that has seen it has seen the call. */
  readonly id: string
  /** From 1 to 3. */
  readonly attempt: number
  /** Whose job it is: the name is the host's own, where it gave one. */
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** Aborted after 30 seconds. */
  readonly signal: AbortSignal
}

/** Called when a job and its webhook have ended. It may come twice; three failures are the end. */
export type OnFinished = (job: Job, call: Call) => MaybePromise<unknown>

/** Takes the lines of the log. */
export interface Logger {
  readonly debug: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly info: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** A bucket of S3, or of a server that speaks its protocol. Needs `@aws-sdk/client-s3`. */
export interface Bucket {
  readonly bucket: string
  readonly region: string
  /** Names of files begin with it, for example `media/`. */
  readonly prefix?: string
  /** Of a server other than Amazon's. */
  readonly endpoint?: string
  /** Left out: what the environment has. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** A session that a pool has lent. */
export interface HostSession {
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
  /** Gives it back; with an argument it is closed. */
  readonly release: (broken?: Error | boolean) => void
}

/** The host's own pool of Postgres: a `Pool` of `pg` is one. It stays the host's to end. */
export interface HostPool {
  readonly connect: () => PromiseLike<HostSession>
}

/** A client of a database of Postgres or SQLite in Effect: a `SqlClient`. It stays the host's. */
export interface HostSqlClient {
  readonly "~effect/sql/SqlClient": "~effect/sql/SqlClient"
}

/** What a process does: answer and submit, or also do the work. */
export type Role = "http" | "worker"

/** Attempts side by side in this process. */
export interface Concurrency {
  readonly transcribe?: number
  readonly summarize?: number
  readonly download?: number
  readonly webhook?: number
}

/** Days that things are kept after the end of a job. Left out: for ever. */
export interface RetentionDays {
  readonly media?: number
  readonly transcript?: number
  readonly job?: number
}

/** What a request of the console may do: nothing, read, or read and change. */
export type ConsoleAccess = "none" | "read" | "write"

/** Decides what a request of the console may do. */
export type AuthorizeConsole = (request: Request) => MaybePromise<ConsoleAccess>

/** Options of every process. */
export interface EveryRole {
  /**
   * `sqlite:<file>`, `postgres://…`, the host's own pool of Postgres or `SqlClient` of Effect, or
   * `memory:` for what need not outlive the process.
   */
  readonly database: `sqlite:${string}` | "memory:" | (string & {}) | HostPool | HostSqlClient
  /**
   * For a URL of Postgres: the schema of the tables, made where it is missing. The sessions of a
   * pool or a client have it as their `search_path`.
   */
  readonly schema?: string
  /**
   * A folder or a bucket. Default: `<file>-media` next to a file of SQLite;
   * `.verbatim/<name>/media` for the Postgres database of a URL, `.verbatim/media` for a pool or a
   * client; the former is followed by `schema` where it is given. With `memory:` it is a temporary
   * folder inside this one, or inside that of the system.
   */
  readonly media?: string | Bucket
  /** Default: LexRank, which needs nothing. */
  readonly summarize?: Summarise
  /** Identifies the senders of HTTP requests. Default: by the keys of the workspaces. */
  readonly authenticate?: Authenticate
  /** The folder of the API as clients see it. Default: `/v1/…` at the root. */
  readonly prefix?: `/${string}`
  /**
   * The console, at `/console` below the prefix. Users log in with a key; with `authorize`, which
   * goes with `authenticate`, the host decides who may read and who may write. Default: none.
   */
  readonly console?: boolean | { readonly authorize: AuthorizeConsole }
  /** Called when a job has ended, well or not. */
  readonly onFinished?: OnFinished
  /** Default: warnings and errors on the standard error. False for none. */
  readonly logger?: Logger | false
  /** `auto` takes the ffmpeg of the system, else WebAssembly from `@ffmpeg/core`. */
  readonly decoder?: "auto" | "system" | "wasm"
  /** Attempts of each kind at the same time in this process. Default: 1 for engines. */
  readonly concurrency?: Concurrency
  /** Minutes that a new workspace begins with. Default: ten million, so that nothing is refused. */
  readonly openingMinutes?: number
  /**
   * Compiles schemas to functions, those of the host's own `effect` included. Where a policy
   * forbids `new Function` they are interpreted, as with false. Default: true.
   */
  readonly compiledSchemas?: boolean
  /** Largest file. Default: 200. */
  readonly fileMegabytesMax?: number
  /** Private networks that webhooks and downloads may reach, as `10.0.0.0/8`. Default: none. */
  readonly allowNetworks?: ReadonlyArray<string>
  /** Sign the webhooks of workspaces that have no secret of their own: `whsec_…`. */
  readonly webhookSecrets?: ReadonlyArray<string>
  /** How long recordings, transcripts and jobs are kept. Default: until they are deleted. */
  readonly retention?: RetentionDays
}

/** With an engine, or without one in a process that leaves the work to others. */
export type Options = EveryRole &
  (
    | {
        /** What this process does. Default: both. */
        readonly roles?: ReadonlyArray<Role>
        /** Your own function, or an engine such as `openai()` or `pocketsphinx()`. */
        readonly transcribe: Recognise | Engine
      }
    | { readonly roles: readonly ["http"]; readonly transcribe?: undefined }
  )
