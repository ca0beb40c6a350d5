import { execFileSync } from 'node:child_process'

/** The files that this branch changes against main (on main: by the last commit), including uncommitted changes. */
export function changedFiles(project) {
  const git = (...args) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim()
  const base = git('merge-base', 'main', 'HEAD')
  const since = base === git('rev-parse', 'HEAD') ? `${base}~1` : base
  const tracked = git('diff', '--name-only', '--diff-filter=d', since)
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...tracked.split('\n'), ...added.split('\n')].filter(Boolean)
}
