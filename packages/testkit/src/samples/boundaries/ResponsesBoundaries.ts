/**
 * Every constraint of the request body, as rows.
 */
import type { Boundary } from "./Boundary.ts"
import { metadata, topLevel } from "./FieldBoundaries.ts"
import { answer, nested } from "./ObjectBoundaries.ts"
import { plugins, routers } from "./PluginBoundaries.ts"
import { providers } from "./ProviderBoundaries.ts"
import { conditions, tools } from "./ToolBoundaries.ts"

/** Every boundary of the request body. */
export const boundaries: ReadonlyArray<Boundary> = [
  ...topLevel,
  ...metadata,
  ...nested,
  ...answer,
  ...routers,
  ...plugins,
  ...providers,
  ...tools,
  ...conditions
]
