/** Runs Verbatim on the `SqlClient` that an Effect program already has. */
import { PgClient } from "@effect/sql-pg"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Net from "@verbatim/adapters/net"
import * as Sql from "@verbatim/adapters/sql"
import { Services } from "@verbatim/core/services"
import { platform, settings } from "@verbatim/embed/effect"
import { Layer, Redacted } from "effect"

/** All services. Their tables are created next to the host's own tables. */
export const services = (url: string, directory: string) =>
  Services.layer.pipe(
    Layer.provide(Sql.layer()),
    Layer.provide([Filesystem.layer({ directory }), Net.layer({ allowedNetworks: [] })]),
    Layer.provide([platform, settings({ maxFileMegabytes: 500 })]),
    Layer.provideMerge(PgClient.layer({ url: Redacted.make(url) }))
  )
