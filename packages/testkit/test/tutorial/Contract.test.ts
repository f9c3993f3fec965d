import * as Memory from "@verbatim/adapters/memory"
import { JobStoreContract } from "@verbatim/testkit/contracts"
import { Layer } from "effect"
import * as CachedJobStore from "./CachedJobStore.ts"

const everything = CachedJobStore.ofJobs(() => true)

JobStoreContract.suite("cached", everything.pipe(Layer.provideMerge(Memory.layer)))
