/**
 * Stores media files in a bucket on S3 or a compatible server. The client is loaded when the store
 * is created, so that a program can import this module even if the client is not installed.
 */
import { type MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { load } from "../packages/OptionalPackage.ts"
import type { S3MediaStoreOptions } from "./Options.ts"

export type { S3MediaStoreOptions } from "./Options.ts"

const client = { name: "@aws-sdk/client-s3", purpose: "keep media in a bucket" }

/** Stores media in an existing bucket. Requests are sent only when needed. */
export const layer = (options: S3MediaStoreOptions): Layer.Layer<MediaStore, MediaStoreError> =>
  Layer.unwrap(
    load(client, () => import("./S3MediaStore.ts")).pipe(
      Effect.map((store) => store.layer(options)),
      Effect.mapError(
        (cause) =>
          new MediaStoreError({ operation: "start", reason: { _tag: "Unavailable", cause } })
      )
    )
  )
