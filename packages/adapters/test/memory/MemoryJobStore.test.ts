import { layer } from "@verbatim/adapters/memory"
import * as JobStoreContract from "@verbatim/testkit/contracts/JobStoreContract"

JobStoreContract.suite("memory", layer)
