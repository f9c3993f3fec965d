import { layer } from "@verbatim/adapters/memory"
import * as WorkerRegistryContract from "@verbatim/testkit/contracts/WorkerRegistryContract"

WorkerRegistryContract.suite("memory", layer)
