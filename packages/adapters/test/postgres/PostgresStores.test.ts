import { suite } from "@verbatim/testkit/contracts/StoreContracts"
import { advance, onEmptied } from "./TemporarySchema.ts"

suite("Postgres", onEmptied, { advance })
