/**
 * Examples for the description of the API, all of one workspace and its key: the requests that make
 * them, and the answers about them.
 */
import { exampleUser } from "../ErrorBody.ts"
import type { KeyView, WorkspaceView } from "./WorkspaceViews.ts"

/** Requests, by what they are about. */
export const requests = {
  workspace: {
    name: "Example customer",
    external_id: "customer-42",
    limits: { requests_per_second: 20, unfinished_jobs: 100 }
  },
  change: {
    status: "disabled",
    limits: { requests_per_second: 20, unfinished_jobs: null },
    retention: { transcript_days: 30, job_days: 365 },
    keywords: ["Zoë Baker", "myocarditis"]
  },
  credit: { minutes: 600, credit_id: "0194246d-2f2e-4c5d-9e6f-7a8b9c0d1e2f" },
  key: {
    kind: "inference",
    name: "Upload service",
    user: "alice",
    scopes: ["transcriptions:read", "transcriptions:write"],
    expires_at: "2099-01-02T03:04:05.000Z"
  },
  rotation: { overlap_seconds: 86_400 }
} as const

/** The workspace. */
export const workspace: WorkspaceView = {
  id: "018f4d6e-8f2a-7d4c-8e5f-6a7b8c9d0e1f",
  name: requests.workspace.name,
  external_id: requests.workspace.external_id,
  status: "active",
  limits: { requests_per_second: 20, unfinished_jobs: 100, minutes_per_day: null },
  retention: { media_days: null, transcript_days: 30, job_days: 365 },
  keywords: requests.change.keywords,
  created_at: "2025-01-02T03:04:05.678Z"
}

/** What it has left. */
export const balance = { balance_minutes: "600.00" }

/** Its key. */
export const key: KeyView = {
  id: "0194246d-2f2e-7d6e-8f70-8b9c0d1e2f3a",
  workspace_id: workspace.id,
  kind: requests.key.kind,
  name: requests.key.name,
  user: requests.key.user,
  user_id: exampleUser,
  scopes: requests.key.scopes,
  hint: "vbi_1a2b…",
  created_at: "2025-01-02T03:04:05.678Z",
  expires_at: requests.key.expires_at,
  revoked_at: null,
  last_used_at: null,
  limits: { requests_per_second: null, unfinished_jobs: null, minutes_per_day: null }
}

/** Its token. */
export const token = "vbi_1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081"
