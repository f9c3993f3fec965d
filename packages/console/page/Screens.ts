/** Lists the screens: address, title, who can see the screen, and how its code is loaded. */
import type { ComponentType } from "preact"
import { JobsScreen } from "./jobs/JobsScreen.tsx"
import type { Parameters } from "./Router.ts"
import {
  can,
  canManageKeys,
  canReadJobs,
  hasWorkspace,
  isOperator,
  session
} from "./session/Session.ts"
import type { IconName } from "./ui/Button.tsx"

export interface Screen {
  readonly pattern: string
  readonly title: string
  /** The icon, and the key after `g`. Undefined for a screen below another screen. */
  readonly nav?: { readonly icon: IconName; readonly key: string }
  readonly isAvailable: () => boolean
  readonly load: () => Promise<ComponentType<{ readonly params: Parameters }>>
}

const canReadPresets = (): boolean => hasWorkspace.value && can("presets:read")
const loadJob = async () => (await import("./job/JobScreen.tsx")).JobScreen
const loadPreset = async () => (await import("./presets/PresetScreen.tsx")).PresetScreen

/** The screens, in navigation order. */
export const screens: ReadonlyArray<Screen> = [
  {
    pattern: "/jobs",
    title: "Jobs",
    nav: { icon: "jobs", key: "j" },
    isAvailable: () => isOperator.value || canReadJobs(),
    load: async () => JobsScreen
  },
  { pattern: "/jobs/:id", title: "Job", isAvailable: canReadJobs, load: loadJob },
  {
    pattern: "/jobs/:id/transcript",
    title: "Transcript",
    isAvailable: canReadJobs,
    load: async () => (await import("./transcript/TranscriptScreen.tsx")).TranscriptScreen
  },
  {
    pattern: "/presets",
    title: "Presets",
    nav: { icon: "presets", key: "p" },
    isAvailable: canReadPresets,
    load: async () => (await import("./presets/PresetsScreen.tsx")).PresetsScreen
  },
  { pattern: "/presets/:slug", title: "Preset", isAvailable: canReadPresets, load: loadPreset },
  {
    pattern: "/work",
    title: "Queue",
    nav: { icon: "work", key: "q" },
    isAvailable: () => isOperator.value,
    load: async () => (await import("./work/QueueScreen.tsx")).QueueScreen
  },
  {
    pattern: "/workspaces",
    title: "Workspaces",
    nav: { icon: "workspaces", key: "s" },
    isAvailable: () => isOperator.value,
    load: async () => (await import("./workspaces/WorkspacesScreen.tsx")).WorkspacesScreen
  },
  {
    pattern: "/workspaces/:id",
    title: "Workspace",
    isAvailable: () => isOperator.value,
    load: async () => (await import("./workspaces/WorkspaceScreen.tsx")).WorkspaceScreen
  },
  {
    pattern: "/keys",
    title: "Keys",
    nav: { icon: "keys", key: "k" },
    isAvailable: () => canManageKeys.value,
    load: async () => (await import("./keys/KeyList.tsx")).KeysScreen
  },
  {
    pattern: "/usage",
    title: "Usage",
    nav: { icon: "usage", key: "u" },
    isAvailable: () => isOperator.value || can("usage:read"),
    load: async () => (await import("./usage/UsagePanel.tsx")).UsageScreen
  }
]

export const shownScreens = (): ReadonlyArray<Screen> =>
  session.value === undefined
    ? []
    : screens.filter(({ isAvailable, nav }) => nav !== undefined && isAvailable())

/** Returns the path of the start page, which is the queue for an operator without a workspace. */
export const homePath = (): string =>
  isOperator.value && !hasWorkspace.value ? "/work" : (shownScreens()[0]?.pattern ?? "/jobs")
