/** Something the user can put right: it ends the run with exit code 2 and its message, a line for each of its lines. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
