import { StoreContracts } from "@verbatim/testkit/contracts"
import { advance, onEmptied } from "./TemporarySchema.ts"

StoreContracts.suite("Postgres", onEmptied, { advance })
