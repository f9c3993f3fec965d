import * as JobStoreContract from "@verbatim/testkit/contracts/JobStoreContract"
import { advance, onServer } from "./TemporarySchema.ts"

JobStoreContract.suite("Postgres", onServer, { advance })
