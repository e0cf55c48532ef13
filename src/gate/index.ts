/** What stands between the findings and the exit code: pure functions from report to report. */
export {
  applyBaseline,
  BASELINE_FILE,
  extendBaseline,
  parseBaseline,
  printBaseline,
  pruneBaseline,
  staleEntries,
  type Baseline,
  type BaselineOptions,
  type BaselineChange,
  type BaselineEntry,
  type EntryPlace,
} from './baseline.js'
export { onlyTouching } from './changed.js'
export { IGNORE_WORD, ignoreComments, type IgnoreComment } from './comments.js'
export { suppress, type SuppressOptions } from './suppress.js'
