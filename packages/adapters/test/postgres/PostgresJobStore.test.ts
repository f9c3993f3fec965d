import * as JobStoreContract from "@verbatim/testkit/contracts/JobStoreContract"
import { advance, onEmptied } from "./TemporarySchema.ts"

JobStoreContract.suite("Postgres", onEmptied, { advance })
