import { SummarizerContract } from "@verbatim/testkit/contracts"
import { Effect, Layer } from "effect"
import { model, obedient, summarizing } from "./Chat.ts"

SummarizerContract.suite(
  "openai",
  Layer.unwrap(Effect.map(model(obedient), ({ url }) => summarizing(url)))
)
