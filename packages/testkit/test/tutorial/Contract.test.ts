import * as Memory from "@verbatim/adapters/memory"
import { suite } from "@verbatim/testkit/contracts/JobStoreContract"
import { Layer } from "effect"
import * as CachedJobStore from "./CachedJobStore.ts"

const everything = CachedJobStore.ofJobs(() => true)

suite("cached", everything.pipe(Layer.provideMerge(Memory.layer)))
