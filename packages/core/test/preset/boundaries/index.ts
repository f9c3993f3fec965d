/**
 * Every constraint of the request body, as rows.
 */
import type { Boundary } from "./Boundary.ts"
import { metadata, topLevel } from "./fields.ts"
import { answer, nested } from "./objects.ts"
import { plugins, routers } from "./plugins.ts"
import { providers } from "./providers.ts"
import { conditions, tools } from "./tools.ts"

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
