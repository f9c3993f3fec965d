/**
 * Loaded into a process before its program. On request, this module reports the process's CPU time,
 * which other work on the machine hardly affects.
 */

process.on("message", (message) => {
  if (message !== "cpu") return
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A server must be able to exit while the benchmark is still connected.
process.channel?.unref()
