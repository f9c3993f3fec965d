/**
 * Operator keys belong to no workspace and manage all workspaces, but give no access to presets or
 * jobs.
 */
import { Schema, Struct } from "effect"
import { ApiKey } from "./ApiKey.ts"

/** A stored operator key. */
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
