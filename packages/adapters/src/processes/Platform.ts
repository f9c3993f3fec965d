/** Provides Node's file system, paths and child processes. */
import { layer as children } from "@effect/platform-node-shared/NodeChildProcessSpawner"
import { layer as files } from "@effect/platform-node-shared/NodeFileSystem"
import { layer as paths } from "@effect/platform-node-shared/NodePath"
import { type FileSystem, Layer, type Path } from "effect"
import type { ChildProcessSpawner } from "effect/process"

/** The services that an engine needs to run a program. */
export const layer: Layer.Layer<
  ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem | Path.Path
> = Layer.provideMerge(children, Layer.merge(files, paths))
