import * as WorkQueueContract from "@verbatim/testkit/contracts/WorkQueueContract"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

WorkQueueContract.suite("SQLite in a file", onFile)
WorkQueueContract.suite("SQLite in memory", inMemory)
