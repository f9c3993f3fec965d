import * as WorkspaceStoreContract from "@verbatim/testkit/contracts/WorkspaceStoreContract"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

WorkspaceStoreContract.suite("SQLite in a file", onFile)
WorkspaceStoreContract.suite("SQLite in memory", inMemory)
