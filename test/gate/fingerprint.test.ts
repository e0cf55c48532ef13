import { afterAll, describe, expect, it } from 'vitest'
import { FUNCTION, MIGRATION, migration, racing, racingProject, removeProjects, reportOf } from './project.js'

afterAll(removeProjects)

const prints = async (files: Record<string, string>) =>
  (await reportOf({ ...racingProject, ...files })).findings.map(({ fingerprint }) => fingerprint)

const second = racing.replace(
  '    await db',
  "    await fetch('https://api.openai.com/v1/embeddings', { method: 'POST', body: letter.address })\n    await db",
)

describe('the fingerprint of a finding', () => {
  it.each([
    ['moved lines', { [FUNCTION]: `\n// a comment\n\n${racing}` }],
    [
      'reformatting',
      { [FUNCTION]: racing.replaceAll("'", '"').replaceAll(').', ')\n      .').replace('{ to:', '{\n to:') },
    ],
    [
      'renamed locals',
      {
        [FUNCTION]: racing
          .replaceAll('letters ??', 'due ??')
          .replaceAll('data: letters', 'data: due')
          .replaceAll('letter.', 'one.')
          .replaceAll('letter of', 'one of'),
      },
    ],
    ['another schedule', { [MIGRATION]: migration.replace('* * * * *', '*/7 * * * *') }],
    ['another name of the job', { [MIGRATION]: migration.replace("'post-letters'", "'letters every minute'") }],
    ['another limit', { [FUNCTION]: racing.replace('limit(20)', 'limit(50)') }],
  ])('survives %s', async (_, files) => {
    const before = await prints({})
    expect(before).toHaveLength(1)
    expect(await prints(files)).toEqual(before)
  })

  it('differs for a second effect', async () => {
    const [before, after] = [await prints({}), await prints({ [FUNCTION]: second })]
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  })

  it('differs from finding to finding', async () => {
    const loop = racing.slice(racing.indexOf('  const { data'), racing.indexOf('  return'))
    const twice = racing.replace(
      '  return',
      `${loop.replaceAll('letters', 'others').replace("from('others')", "from('letters')")}  return`,
    )
    const found = await prints({ [FUNCTION]: twice.replaceAll("from('others')", "from('letters')") })
    expect(found).toHaveLength(2)
    expect(new Set(found).size).toBe(2)
  })
})
