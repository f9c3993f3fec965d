import * as WorkspaceStoreContract from "@verbatim/testkit/contracts/WorkspaceStoreContract"
import { advance, onServer } from "./TemporarySchema.ts"

WorkspaceStoreContract.suite("Postgres", onServer, { advance })
