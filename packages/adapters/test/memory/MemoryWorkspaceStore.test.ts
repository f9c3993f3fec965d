import { layer } from "@verbatim/adapters/memory"
import * as WorkspaceStoreContract from "@verbatim/testkit/contracts/WorkspaceStoreContract"

WorkspaceStoreContract.suite("memory", layer)
