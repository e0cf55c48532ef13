/** Something the user can put right: it ends the run with exit code 2 and its message as the only line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
