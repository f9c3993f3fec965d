/** All contracts beside tables of a host that have the names of ours. */
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { besideTables } from "./BesideTables.ts"
import { prefix } from "./HostTables.ts"

StoreContracts.suite(
  "SQLite beside a host's tables",
  besideTables({
    open: (filename) => layer({ filename, tablePrefix: prefix }),
    client: (filename) => SqliteClient.layer({ filename })
  })
)
