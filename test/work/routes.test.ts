import { describe, expect, it } from 'vitest'
import { DONE, HEAD, PICK, answerOf, follow, handle, postTo } from './harness.js'

const loop = (inside: string) => `${PICK}\nfor (const crate of crates ?? []) {\n${inside}\n}`

describe('routes', () => {
  const router = (route: string) =>
    `${HEAD}\nimport { Hono } from 'npm:hono'\nconst app = new Hono()${route}\nDeno.serve(app.fetch)`
  const racing = `async (c: any) => {\n${loop(`await mail(crate)\n${DONE}`)}\nreturn c.text('ok')\n}`
  const to = (path: string) => ({ command: `select ${postTo(path)}` })
  const quiet = `(c: any) => c.text('ok')`
  it.each([
    ['only the handler of the path runs', `\napp.post('/haul/sweep', ${quiet})\napp.post('/haul/run', ${racing})`],
    ['a base path', `.basePath('/haul')\napp.post('/sweep', ${quiet})\napp.post('/run', ${racing})`],
    [
      'a router under a path',
      `\nconst jobs = new Hono()\njobs.post('/run', ${racing})\napp.route('/haul', jobs)\napp.post('/haul/sweep', ${quiet})`,
    ],
    ['a path without the name of the function', `\napp.post('/sweep', ${quiet})\napp.post('/run', ${racing})`],
    [
      'verbs of one path',
      `\napp.get('/haul/run', ${quiet})\napp.get('/haul/sweep', ${racing})\napp.post('/haul/sweep', ${quiet})\napp.post('/haul/run', ${racing})`,
    ],
    ['chained', `.post('/haul/sweep', ${quiet}).post('/haul/run', ${racing})`],
  ])('%s', async (_name, route) => {
    expect(answerOf(await follow(router(route), to('haul/run')))).toBe('race effect-before-claim')
    expect(answerOf(await follow(router(route), to('haul/sweep')))).toBe('no-row-work')
  })
  it.each([
    ['a parameter in the path', `\napp.post('/haul/:what', ${racing})`],
    ['a star', `\napp.all('/haul/*', ${racing})`],
    ['a path that no route has: all of them', `\napp.post('/elsewhere', ${racing})`],
    [
      'a path that the code makes',
      `\napp.post(Deno.env.get('PATH_OF_RUN')!, ${racing})\napp.post('/haul/run', ${quiet})`,
    ],
    ['a path that nobody knows', `\napp.post('/haul/sweep', ${racing})`, 'haul/…'],
    ['a handler that calls the app', `\napp.post('/haul/run', ${racing})\nDeno.serve((req) => app.fetch(req))`],
  ])('%s', async (_name, route, path = 'haul/run') => {
    const command = path.includes('…')
      ? { command: `select ${postTo(`haul/' || current_setting('app.path') || '`)}` }
      : to(path)
    expect(answerOf(await follow(router(route), command))).toBe('race effect-before-claim')
  })
  it('of files that the entry imports', async () => {
    const files = {
      'functions/_shared/run.ts': `${HEAD}\nimport { Hono } from 'npm:hono'\nexport const run = new Hono()\nrun.post('/', ${racing})`,
    }
    const code = `import { Hono } from 'npm:hono'\nimport { run } from '../_shared/run.ts'\nconst app = new Hono()\napp.post('/haul/health', ${quiet})\napp.route('/haul/run', run)\nDeno.serve(app.fetch)`
    expect(answerOf(await follow(code, { files, ...to('haul/run') }))).toBe('race effect-before-claim')
    expect(answerOf(await follow(code, { files, ...to('haul/health') }))).toBe('no-row-work')
  })
  const bySwitch = (condition: string) =>
    `const url = new URL(req.url)\nif (${condition}) {\n${loop(`await mail(crate)\n${DONE}`)}\n}`
  it.each([
    ['the end of the path', `url.pathname.endsWith('/run')`, 'haul/run', 'haul/sweep'],
    ['a part of the query', `url.searchParams.get('mode') === 'run'`, 'haul?mode=run', 'haul?mode=sweep'],
    ['a query that is there', `url.searchParams.has('run')`, 'haul?run=1', 'haul'],
  ])('told apart by hand: %s', async (_name, condition, run, sweep) => {
    expect(await handle(bySwitch(condition), to(run))).toBe('race effect-before-claim')
    expect(await handle(bySwitch(condition), to(sweep))).toBe('no-row-work')
  })
})
