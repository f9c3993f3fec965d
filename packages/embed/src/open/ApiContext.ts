/** What the API needs beyond the services: files, tags of answers, and a report for `/health`. */
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Health, makeHealthParts } from "@verbatim/http"
import { Effect, Layer } from "effect"
import { Etag, HttpPlatform } from "effect/http"

export const layer = Layer.mergeAll(
  Layer.provide(HttpPlatform.layer, NodeFileSystem.layer),
  Etag.layerWeak,
  NodeFileSystem.layer,
  NodePath.layer,
  Layer.effect(
    Health,
    Effect.map(makeHealthParts, (parts) =>
      Health.of({ report: Effect.all(parts, { concurrency: "unbounded" }) })
    )
  )
)
