/** The guarded fetcher keeps the contract of its port, on networks that it may reach. */
import * as MediaFetcherContract from "@verbatim/testkit/contracts/MediaFetcherContract"
import { soundMediaFetcher } from "../../../testkit/test/faults/MediaFetcherFaults.ts"

MediaFetcherContract.suite("guarded", soundMediaFetcher)
