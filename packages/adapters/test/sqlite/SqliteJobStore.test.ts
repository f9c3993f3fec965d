import * as JobStoreContract from "@verbatim/testkit/contracts/JobStoreContract"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

JobStoreContract.suite("SQLite in a file", onFile)
JobStoreContract.suite("SQLite in memory", inMemory)
