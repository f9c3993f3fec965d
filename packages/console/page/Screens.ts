/** Every screen: its address, its name, whom it is for, and where its program is. */
import type { ComponentType } from "preact"
import { JobsScreen } from "./jobs/JobsScreen.tsx"
import type { Parameters } from "./Router.ts"
import { hasWorkspace, isOperator, managesKeys, may, session } from "./session/Session.ts"
import type { IconName } from "./ui/Icon.tsx"

/** A screen. */
export interface Screen {
  readonly pattern: string
  readonly title: string
  /** Its sign in the navigation, and the key after `g`; nothing for what is below another one. */
  readonly nav?: { readonly icon: IconName; readonly key: string }
  readonly isFor: () => boolean
  readonly load: () => Promise<ComponentType<{ readonly params: Parameters }>>
}

/** In the order of the navigation. */
export const screens: ReadonlyArray<Screen> = [
  {
    pattern: "/jobs",
    title: "Jobs",
    nav: { icon: "jobs", key: "j" },
    isFor: () => hasWorkspace.value && may("transcriptions:read"),
    load: async () => JobsScreen
  },
  {
    pattern: "/jobs/:id",
    title: "Job",
    isFor: () => hasWorkspace.value && may("transcriptions:read"),
    load: async () => (await import("./job/JobScreen.tsx")).JobScreen
  },
  {
    pattern: "/jobs/:id/transcript",
    title: "Transcript",
    isFor: () => hasWorkspace.value && may("transcriptions:read"),
    load: async () => (await import("./transcript/TranscriptScreen.tsx")).TranscriptScreen
  },
  {
    pattern: "/presets",
    title: "Presets",
    nav: { icon: "presets", key: "p" },
    isFor: () => hasWorkspace.value && may("presets:read"),
    load: async () => (await import("./presets/PresetsScreen.tsx")).PresetsScreen
  },
  {
    pattern: "/presets/:slug",
    title: "Preset",
    isFor: () => hasWorkspace.value && may("presets:read"),
    load: async () => (await import("./presets/PresetScreen.tsx")).PresetScreen
  },
  {
    pattern: "/work",
    title: "Work",
    nav: { icon: "work", key: "w" },
    isFor: () => isOperator.value,
    load: async () => (await import("./work/WorkScreen.tsx")).WorkScreen
  },
  {
    pattern: "/workspaces",
    title: "Workspaces",
    nav: { icon: "workspaces", key: "s" },
    isFor: () => isOperator.value,
    load: async () => (await import("./workspaces/WorkspacesScreen.tsx")).WorkspacesScreen
  },
  {
    pattern: "/workspaces/:id",
    title: "Workspace",
    isFor: () => isOperator.value,
    load: async () => (await import("./workspaces/WorkspaceScreen.tsx")).WorkspaceScreen
  },
  {
    pattern: "/keys",
    title: "Keys",
    nav: { icon: "keys", key: "k" },
    isFor: () => managesKeys.value,
    load: async () => (await import("./keys/KeyList.tsx")).KeysScreen
  },
  {
    pattern: "/usage",
    title: "Usage",
    nav: { icon: "usage", key: "u" },
    isFor: () => isOperator.value || may("usage:read"),
    load: async () => (await import("./usage/UsagePanel.tsx")).UsageScreen
  }
]

/** Those of the navigation that the session may see. */
export const shownScreens = (): ReadonlyArray<Screen> =>
  session.value === undefined
    ? []
    : screens.filter(({ isFor, nav }) => nav !== undefined && isFor())

/** Where somebody begins. */
export const homePath = (): string =>
  shownScreens()[0]?.pattern ?? (isOperator.value ? "/work" : "/jobs")
