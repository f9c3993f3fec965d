import { layer } from "@verbatim/adapters/memory"
import * as WorkQueueContract from "@verbatim/testkit/contracts/WorkQueueContract"

WorkQueueContract.suite("memory", layer)
