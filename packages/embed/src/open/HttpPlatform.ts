/** What the API needs of the platform, without a server: files, and tags of answers. */
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Layer } from "effect"
import { Etag, HttpPlatform } from "effect/http"

export const layer = Layer.mergeAll(
  Layer.provide(HttpPlatform.layer, NodeFileSystem.layer),
  Etag.layerWeak,
  NodeFileSystem.layer,
  NodePath.layer
)
