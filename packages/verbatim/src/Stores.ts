/**
 * The stores that a configuration names.
 */
import * as Memory from "@verbatim/adapters/memory"
import * as Sqlite from "@verbatim/adapters/sqlite"
import type { JobStore } from "@verbatim/core/ports/JobStore"
import type { PresetStore } from "@verbatim/core/ports/PresetStore"
import type { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import type { Layer } from "effect"
import type { DatabaseLocation } from "./Configuration.ts"

/** All stores over one database. */
export type Stores = JobStore | PresetStore | WorkQueue | WorkspaceStore

/** Opens the database, and brings it to the present schema. */
export const layer = (location: DatabaseLocation): Layer.Layer<Stores, Sqlite.SqliteStoresError> =>
  location._tag === "Memory" ? Memory.layer : Sqlite.layer({ filename: location.filename })
