import * as WorkerRegistryContract from "@verbatim/testkit/contracts/WorkerRegistryContract"
import { advance, onServer } from "./TemporarySchema.ts"

WorkerRegistryContract.suite("Postgres", onServer, { advance })
