/** The table of layers says what their types say: this file compiles, and only then. */
import type * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import type * as Filesystem from "@verbatim/adapters/filesystem"
import type * as LexRank from "@verbatim/adapters/lexrank"
import type * as Memory from "@verbatim/adapters/memory"
import type * as Net from "@verbatim/adapters/net"
import type * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import type * as Postgres from "@verbatim/adapters/postgres"
import type * as S3 from "@verbatim/adapters/s3"
import type * as Sql from "@verbatim/adapters/sql"
import type * as Sqlite from "@verbatim/adapters/sqlite"
import type * as Core from "@verbatim/core/services"
import type * as Embed from "@verbatim/embed/effect"
import type * as Mount from "@verbatim/embed/mount"
import type * as Http from "@verbatim/http"
import type { Effect, FileSystem, Layer, Path } from "effect"
import type { HttpRouter } from "effect/http"
import type { SqlClient } from "effect/sql"
import type { parts } from "../documents/Parts.ts"

/** The last word of a key. */
type Last<Key> = Key extends `${string}/${infer Rest}` ? Last<Rest> : Key

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false

/** Services of Effect that are interfaces, which show no key. */
interface Interfaces {
  readonly FileSystem: FileSystem.FileSystem
  readonly HttpRouter: HttpRouter.HttpRouter
  readonly Path: Path.Path
  readonly SqlClient: SqlClient.SqlClient
}

type NameOfInterface<Service> = {
  [Name in keyof Interfaces]: Same<Service, Interfaces[Name]> extends true ? Name : never
}[keyof Interfaces]

/** A service by its key. */
type Name<Service> = Service extends { readonly key: infer Key extends string }
  ? Last<Key>
  : NameOfInterface<Service>

interface Said<Gives, Needs> {
  readonly gives: Gives
  readonly needs: Needs
}

/** What the type of a layer says. */
type OfLayer<Made extends Layer.Any> = Said<Name<Layer.Success<Made>>, Name<Layer.Services<Made>>>

/** What the types say of each part. */
interface Typed {
  readonly "routes()": OfLayer<ReturnType<typeof Http.routes>>
  readonly "mount()": Said<never, Name<Effect.Services<ReturnType<typeof Mount.mount>>>>
  readonly "worker()": OfLayer<ReturnType<typeof Embed.worker>>
  readonly "Authenticator.keys": OfLayer<typeof Http.Authenticator.keys>
  readonly "NodeHttpServer.layerHttpServices": OfLayer<typeof NodeHttpServer.layerHttpServices>
  readonly "Services.layer": OfLayer<typeof Core.Services.layer>
  readonly "Sql.layer()": OfLayer<ReturnType<typeof Sql.layer>>
  readonly "Filesystem.layer()": OfLayer<ReturnType<typeof Filesystem.layer>>
  readonly "Net.layer()": OfLayer<ReturnType<typeof Net.layer>>
  readonly "Pocketsphinx.layer()": OfLayer<ReturnType<typeof Pocketsphinx.layer>>
  readonly "LexRank.layer": OfLayer<typeof LexRank.layer>
  readonly "Ffmpeg.layer()": OfLayer<ReturnType<typeof Ffmpeg.layer>>
  readonly platform: OfLayer<typeof Embed.platform>
}

/** What the table says. */
type Told = {
  readonly [Part in keyof typeof parts]: Said<
    (typeof parts)[Part]["gives"][number],
    (typeof parts)[Part]["needs"][number]
  >
}

/** Where they differ: nowhere. */
export type Differences = {
  [Part in keyof Typed | keyof Told]: Part extends keyof Typed & keyof Told
    ? Same<Typed[Part], Told[Part]> extends true
      ? never
      : Part
    : Part
}[keyof Typed | keyof Told]

export const differences: ReadonlyArray<Differences> = [] satisfies ReadonlyArray<never>
export const none: Same<Differences, never> = true

/** The stores of a driver of ours need nothing, and give what `Sql.layer()` gives. */
type Missing<Made extends Layer.Any> =
  | Exclude<Told["Sql.layer()"]["gives"], Name<Layer.Success<Made>> | "SchemaStanding">
  | Name<Layer.Services<Made>>

export const alike: Same<
  | Missing<ReturnType<typeof Sqlite.layer>>
  | Missing<ReturnType<typeof Postgres.layer>>
  | Missing<typeof Memory.layer>
  | Exclude<"MediaStore", Name<Layer.Success<ReturnType<typeof S3.layer>>>>,
  never
> = true
