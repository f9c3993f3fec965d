import * as WorkerRegistryContract from "@verbatim/testkit/contracts/WorkerRegistryContract"
import { inMemory } from "./TemporaryDatabase.ts"

WorkerRegistryContract.suite("SQLite in memory", inMemory)
