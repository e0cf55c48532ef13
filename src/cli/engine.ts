import { setFlagsFromString } from 'node:v8'

/**
 * How often code has to run before the engine optimises it, by its major version; three to four times its default. A run
 * is over before what is optimised early has paid for itself, and on two cores the compiler takes time from the run: with
 * these a cold run takes an eighth less on Node 20 and a tenth less on Node 22, and runs of several seconds a little less
 * (measured). Later engines have another compiler in between, where it made no difference.
 */
const PATIENCE: Readonly<Record<string, string>> = {
  11: '--interrupt-budget=400000',
  12: '--invocation-count-for-turbofan=12000',
}

/** Suits the engine to a process that runs once. An engine that does not know a flag says so on standard error: only those are set that it has. */
export function tuneEngine(): void {
  const flag = PATIENCE[process.versions.v8.split('.')[0] ?? '']
  if (flag !== undefined) setFlagsFromString(flag)
}
