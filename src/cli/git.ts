import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UsageError } from './usage-error.js'

const run = promisify(execFile)

/** Which files count as changed: those in the index, or those that differ from a commit (with those not yet tracked). */
export type Changes = { readonly kind: 'staged' } | { readonly kind: 'since'; readonly ref: string | null }

/**
 * Paths of changed files below `folder`, relative to it and POSIX. Without a ref, what differs from the last commit; with
 * one, what differs from where this branch left it (`git diff --merge-base`). Deleted files are in it, which does no harm.
 * Throws a UsageError where git is not there, the folder is in no repository, or the ref is not known.
 */
export async function changedFiles(folder: string, changes: Changes): Promise<ReadonlySet<string>> {
  const option = changes.kind === 'staged' ? '--staged' : '--changed'
  const list = async (...args: string[]): Promise<string[]> =>
    (await git(folder, option, args)).split('\0').filter((path) => path !== '')
  if ((await git(folder, option, ['rev-parse', '--is-inside-work-tree'])).trim() !== 'true')
    throw new UsageError(`${option} needs a git work tree, and ${folder} is in none.`)
  const names = ['--name-only', '-z', '--relative', '--no-renames', '--no-ext-diff']
  if (changes.kind === 'staged') return new Set(await list('diff', '--cached', ...names))
  const untracked = list('ls-files', '--others', '--exclude-standard', '-z')
  const ref = changes.ref ?? 'HEAD'
  const commit = await git(folder, option, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
    .then((text) => text.trim())
    .catch(() => null)
  if (commit === null && changes.ref !== null)
    throw new UsageError(`${option}=${changes.ref}: git knows no commit of this name.`)
  // Before the first commit everything is new.
  if (commit === null) return new Set([...(await list('ls-files', '-z')), ...(await untracked)])
  const base = changes.ref === null ? commit : await mergeBase(folder, option, commit, changes.ref)
  return new Set([...(await list('diff', ...names, base, '--')), ...(await untracked)])
}

async function mergeBase(folder: string, option: string, commit: string, ref: string): Promise<string> {
  try {
    return (await git(folder, option, ['merge-base', commit, 'HEAD'])).trim()
  } catch {
    throw new UsageError(
      `${option}=${ref}: it has no commit in common with HEAD. In a shallow clone, fetch more (fetch-depth: 0).`,
    )
  }
}

async function git(folder: string, option: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', args, { cwd: folder, maxBuffer: 256 * 1024 * 1024, windowsHide: true })
    return stdout
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new UsageError(`${option} needs git, and there is no git on the PATH.`)
    const said = stderr.trim().split('\n')[0] ?? ''
    if (/not a git repository/i.test(said))
      throw new UsageError(`${option} needs a git repository, and ${folder} is in none.`)
    throw new UsageError(`${option}: git ${args[0]} failed: ${said || String(code)}`)
  }
}

/**
 * The texts in the index of files below `folder/within` whose working copy differs from it, by path relative to `folder`.
 * Throws a UsageError as `changedFiles` does.
 */
export async function indexTexts(folder: string, within: string): Promise<readonly (readonly [string, string])[]> {
  const names = await git(folder, '--staged', [
    'diff',
    '--name-only',
    '-z',
    '--relative',
    '--no-ext-diff',
    // What is in conflict has no one text in the index.
    '--diff-filter=u',
    '--',
    within,
  ])
  const paths = names.split('\0').filter((path) => path !== '')
  const texts: (readonly [string, string])[] = []
  // A few at a time: each is a process of its own.
  for (let at = 0; at < paths.length; at += 16)
    texts.push(
      ...(await Promise.all(
        paths
          .slice(at, at + 16)
          .map(async (path) => [path, await git(folder, '--staged', ['show', `:./${path}`])] as const),
      )),
    )
  return texts
}
