/**
 * The four stores over any database that Effect's `SqlClient` speaks to.
 */
import type { JobStore } from "@verbatim/core/ports/JobStore"
import type { PresetStore } from "@verbatim/core/ports/PresetStore"
import type { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { Layer } from "effect"
import type { Migrator, SqlClient, SqlError } from "effect/sql"
import * as Migrations from "./Migrations.ts"
import * as SqlJobStore from "./SqlJobStore.ts"
import * as SqlPresetStore from "./SqlPresetStore.ts"
import * as SqlWorkQueue from "./SqlWorkQueue.ts"
import * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"

export * as Migrations from "./Migrations.ts"
export * as SharedCommit from "./SharedCommit.ts"
export * as SqlJobStore from "./SqlJobStore.ts"
export * as SqlPresetStore from "./SqlPresetStore.ts"
export * as SqlWorkQueue from "./SqlWorkQueue.ts"
export * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"

/** The ports that a database serves. */
export type Stores = PresetStore | JobStore | WorkQueue | WorkspaceStore

/** The stores, once the database has the present schema. */
export const layer: Layer.Layer<
  Stores,
  Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Layer.mergeAll(
  SqlJobStore.layer,
  SqlPresetStore.layer,
  SqlWorkQueue.layer,
  SqlWorkspaceStore.layer
).pipe(Layer.provideMerge(Migrations.layer))
