import * as WorkspaceStoreContract from "@verbatim/testkit/contracts/WorkspaceStoreContract"
import { advance, onEmptied } from "./TemporarySchema.ts"

WorkspaceStoreContract.suite("Postgres", onEmptied, { advance })
