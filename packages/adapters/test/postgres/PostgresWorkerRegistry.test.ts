import * as WorkerRegistryContract from "@verbatim/testkit/contracts/WorkerRegistryContract"
import { advance, onEmptied } from "./TemporarySchema.ts"

WorkerRegistryContract.suite("Postgres", onEmptied, { advance })
