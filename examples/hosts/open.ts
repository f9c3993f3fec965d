/**
 * Verbatim for a host that is no program of Effect: stores, a worker, and the API as functions that
 * the host calls. The examples of hosts stand on it.
 */
import { NodeHttpServer } from "@effect/platform-node"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { MediaIdentity, Services, Workspaces } from "@verbatim/core"
import { Transcriber, TranscriberError } from "@verbatim/core/ports"
import { platform, settings, worker } from "@verbatim/embed/effect"
import { mount, toFetch, toHandler } from "@verbatim/embed/mount"
import { Authenticator, Health, type Prefix, Unauthenticated } from "@verbatim/http"
import { Effect, Exit, Layer, Option, Redacted, Scope } from "effect"

/** What was heard. */
interface Heard {
  readonly language: string
  readonly text: string
}

type Transcribe = (audio: { readonly path: string; readonly signal: AbortSignal }) => Promise<Heard>

/** What a host says. */
export interface Options {
  /** A file of SQLite; left out, nothing outlives the process. */
  readonly database?: string
  /** The folder of recordings. */
  readonly media: string
  readonly prefix?: Prefix
  /** Hears a file of plain audio: 16 kHz, one channel, 16 bit. */
  readonly transcribe?: Transcribe
  /** An engine of ours, in place of the host's. */
  readonly engine?: Layer.Layer<Transcriber>
  /** Whether whoever shows this token may use the API. */
  readonly authenticate: (token: string) => Promise<boolean>
}

const readiness = Effect.succeed({ _tag: "Ready", engine: "the host's" } as const)

const transcriber = (hear: Transcribe) =>
  Layer.succeed(Transcriber, {
    readiness,
    transcribe: ({ audio }) =>
      Effect.tryPromise({
        try: (signal) => hear({ path: audio.path, signal }),
        catch: (cause) =>
          new TranscriberError({ reason: { _tag: "EngineFailed", detail: String(cause) } })
      }).pipe(
        Effect.map(({ language, text }) => ({
          engine: "the host's",
          language,
          segments: [{ startMillis: 0, endMillis: 1_000, speaker: "speaker_0", text }]
        }))
      )
  })

/** Everybody whom the host lets in is the first workspace. */
const authenticator = (authenticate: Options["authenticate"]) =>
  Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      yield* workspaces.found({ keys: [], minutes: 60_000 })
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      if (first === undefined) return yield* Effect.die("a founded store has no workspace")
      const { firstUserId: userId, id: workspaceId } = first.workspace
      return {
        identify: ({ credential }) =>
          Effect.filterOrFail(
            Effect.promise(() => authenticate(Redacted.value(credential))),
            (isKnown) => isKnown,
            () => new Unauthenticated({ reason: "Unknown" })
          ).pipe(Effect.as({ kind: "management" as const, workspaceId, userId }))
      }
    })
  )

const health = Layer.effect(
  Health,
  Effect.map(MediaIdentity, ({ verify }) => ({
    report: Effect.map(verify, (media) => ({
      isStoreUp: true,
      media,
      readiness: Option.none(),
      activity: Option.none()
    }))
  }))
)

const absent: Transcribe = () => Promise.reject(new Error("the host has no engine"))

const layer = ({
  authenticate,
  database,
  media,
  transcribe = absent,
  engine = transcriber(transcribe)
}: Options) =>
  Layer.mergeAll(authenticator(authenticate), health, NodeHttpServer.layerHttpServices).pipe(
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(
      worker().pipe(Layer.provideMerge(Layer.mergeAll(engine, LexRank.layer, Ffmpeg.layer({}))))
    ),
    Layer.provideMerge(MediaIdentity.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        database === undefined ? Memory.layer : Sqlite.layer({ filename: database }),
        Filesystem.layer({ directory: media }),
        Net.layer({ allowNetworks: [] }),
        platform,
        settings({})
      )
    )
  )

/** Opens it. `close` ends what is under way. */
export const open = async (options: Options) => {
  const scope = Effect.runSync(Scope.make())
  const opening = Effect.flatMap(Layer.build(layer(options)), (services) =>
    Effect.provideContext(mount(options), services)
  )
  const mounted = await Effect.runPromise(Effect.provideService(opening, Scope.Scope, scope))
  return {
    fetch: toFetch(mounted),
    handler: toHandler(mounted),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
