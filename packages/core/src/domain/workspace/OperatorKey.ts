/**
 * Operator keys: they belong to no workspace, and manage all of them. No preset and no job can be
 * read with one.
 */
import { Schema, Struct } from "effect"
import { ApiKey } from "./ApiKey.ts"

/** An operator key as it is stored. */
export const OperatorKey = Schema.Struct(
  Struct.pick(ApiKey.fields, [
    "id",
    "hash",
    "hint",
    "name",
    "createdAt",
    "expiresAt",
    "revokedAt",
    "lastUsedAt"
  ])
)
export type OperatorKey = typeof OperatorKey.Type
