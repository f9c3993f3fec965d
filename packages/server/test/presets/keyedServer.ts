/**
 * Runs a server for one test file, with one workspace and keys of every kind. Commands can reach it
 * over HTTP and through its database.
 */
import { join } from "node:path"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { ApiKeys, Presets, Workspaces } from "@verbatim/core/services"
import { DefaultRetention, noRetentionRule, type Scope } from "@verbatim/core/workspace"
import { platform } from "@verbatim/embed/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { dataDirectory, managementKey, ServerProcess, type Settings } from "../ServerProcess.ts"

/** Provides services on the database in a folder. */
const servicesIn = (directory: string) =>
  Layer.mergeAll(ApiKeys.layer, Presets.layer, Workspaces.layer).pipe(
    Layer.provideMerge(Layer.orDie(Sqlite.layer({ filename: join(directory, "verbatim.db") }))),
    Layer.provideMerge(Layer.succeed(DefaultRetention, noRetentionRule)),
    Layer.provideMerge(platform)
  )

const management: ReadonlyArray<Scope> = ["presets:read", "presets:write"]

/** Keys that can move labels, and keys that cannot. */
const orders = {
  inference: { kind: "inference", scopes: undefined },
  management: { kind: "management", scopes: undefined },
  promoter: { kind: "management", scopes: [...management, "labels:production"] },
  mover: { kind: "management", scopes: ["presets:read", "labels:production"] },
  other: { kind: "management", scopes: [...management, "labels:staging"] }
} as const satisfies Record<
  string,
  { readonly kind: "inference" | "management"; readonly scopes: ReadonlyArray<Scope> | undefined }
>

export type KeyName = keyof typeof orders

/** Creates a key of each kind, and protects the label `production`. */
const prepare = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const presets = yield* Presets
  const { workspaceId } = yield* apiKeys.authenticate(Redacted.make(managementKey))
  yield* presets.protectLabel({ by: { kind: "operator", workspaceId }, label: "production" })
  const keys = yield* Effect.forEach(Object.entries(orders), ([name, { kind, scopes }]) =>
    Effect.map(
      apiKeys.issue(workspaceId, { kind, scopes, token: Option.none() }),
      ({ token }) => [name, Redacted.value(token)] as const
    )
  )
  return { workspaceId, keys: Object.fromEntries(keys) as Readonly<Record<KeyName, string>> }
})

const start = async (directory: string) => {
  const server = await ServerProcess.start(directory, { VERBATIM_ROLES: "http" })
  const prepared = await Effect.runPromise(Effect.provide(prepare, servicesIn(directory)))
  return { server, ...prepared }
}

/** Starts the server before the first test of a file, and stops it after the last. */
export const useKeyedServer = async () => {
  const stack = new AsyncDisposableStack()
  const root = stack.use(await dataDirectory()).path
  const started = start(root)
  beforeAll(async () => stack.use((await started).server), 120_000)
  afterAll(() => stack.disposeAsync())
  /** Settings that let commands reach the presets. */
  const ways = {
    HTTP: async (key: KeyName): Promise<Settings> => {
      const { keys, server } = await started
      return { VERBATIM_URL: server.address, VERBATIM_KEY: keys[key] }
    },
    database: async (key: KeyName): Promise<Settings> => ({
      VERBATIM_KEY: (await started).keys[key]
    })
  } as const
  return { root, started, ways }
}
