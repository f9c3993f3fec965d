/** Tests that the guarded fetcher fulfils its port's contract on allowed networks. */
import { GuardedMediaFetcher } from "@verbatim/adapters/net"
import { MediaFetcherContract } from "@verbatim/testkit/contracts"
import { LocalMediaHosts } from "@verbatim/testkit/servers"
import { Layer } from "effect"
import { allow } from "./Fetching.ts"

MediaFetcherContract.suite(
  "guarded, over real sockets",
  Layer.merge(
    GuardedMediaFetcher.layer({ allowedNetworks: allow("127.0.0.0/8") }),
    LocalMediaHosts.layer
  )
)
