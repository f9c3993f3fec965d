/** All contracts beside tables of a host that have the names of ours. */
import { layer } from "@verbatim/adapters/postgres"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { advance, emptied } from "../postgres/TemporarySchema.ts"
import { check, plant, prefix } from "./HostTables.ts"

const beside = emptied({
  prefix: `${prefix}`,
  stores: (config) => layer({ ...config, tablePrefix: prefix }),
  plant,
  check
})

StoreContracts.suite("Postgres beside a host's tables", beside, { advance })
