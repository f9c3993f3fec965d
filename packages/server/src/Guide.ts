/** Serves the documentation, which `npm run site` builds, at `/guide`. */
import { fileURLToPath } from "node:url"
import { StaticFiles } from "@verbatim/console"
import { HttpRouter } from "effect/http"

/**
 * The pages are static, but the site generator adds inline scripts and styles, and renders text to
 * markup, so the policy restricts only the origin.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'"
].join("; ")

export const layer = HttpRouter.use((router) =>
  StaticFiles.add(router, {
    prefix: "/guide",
    folder: fileURLToPath(new URL("../dist/guide/", import.meta.url)),
    headers: {
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer"
    },
    missing: "The documentation is not built here: run npm run site."
  })
)
