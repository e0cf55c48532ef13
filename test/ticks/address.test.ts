import { describe, expect, it } from 'vitest'
import { dispatchesOf, targetOf } from './run.js'

const secret = (name: string): string => `(select decrypted_secret from vault.decrypted_secrets where name = '${name}')`

describe('the function in a URL', () => {
  it.each([
    [`'https://ref.supabase.co/functions/v1/f'`, 'f'],
    [`'http://kong:8000/functions/v1/f/run?x=/functions/v1/g'`, 'f'],
    [`'https://<ref>.supabase.co/functions/v1/f'`, 'f'],
    [`'https://{{REF}}.supabase.co/functions/v1/f#x'`, 'f'],
    [`'/functions/v1/f'`, 'f'],
    [`'https://ref.functions.supabase.co/f/x'`, 'f'],
    [`'https://ref.functions.supabase.net/f?y'`, 'f'],
    [`current_setting('app.url') || '/functions/v1/f'`, 'f'],
    [`rtrim(${secret('u')}, '/') || '/functions/v1/' || 'f'`, 'f'],
    [`format('%s/functions/v1/%s', ${secret('u')}, 'f')`, 'f'],
    [`'https://' || ${secret('ref')} || '.functions.supabase.co/f'`, 'f'],
    // A base that may end in /functions/v1 already.
    [`${secret('base')} || '/f'`, 'f'],
    [`${secret('base')} || 'f?x=1'`, 'f'],
    [`coalesce(current_setting('app.base', true), 'http://kong:8000/functions/v1') || '/f'`, 'f'],
    // What is known to be elsewhere is no function, whatever its name.
    [`'https://app.example.com/api/f'`, 'none'],
    [`'https://ref.supabase.co/rest/v1/rpc/f'`, 'none'],
    [`current_setting('app.url') || '/rest/v1/f'`, 'none'],
    [`'https://app.example.com/?next=/functions/v1/f'`, 'none'],
    // The name itself is not known.
    [`'https://ref.supabase.co/functions/v1/' || ${secret('f')}`, 'unresolved'],
    [`${secret('base')} || '/g'`, 'unresolved'],
    [`'YOUR_URL'`, 'unresolved'],
    [`case when random() > 0.5 then 'https://h/functions/v1/f' else 'https://h/functions/v1/g' end`, 'f + g'],
    [`case when 1 = 1 then 'https://h/functions/v1/f' else 'https://h/functions/v1/g' end`, 'f'],
  ])('%s', (url, expected) => expect(targetOf(url, ['f', 'other'])).toBe(expected))
})

describe('a URL of which nothing is known', () => {
  it('is assumed by the name of the job, the secret, the setting or the configuration key', () => {
    expect(targetOf(secret('s'), ['send-it'], '', 'send_it')).toBe(`send-it by the job's name "send_it"`)
    expect(targetOf(secret('send_it_webhook_url'), ['send-it'])).toBe(
      `send-it by the secret's name "send_it_webhook_url"`,
    )
    expect(targetOf(`current_setting('app.send_it_endpoint')`, ['send-it'])).toBe(
      `send-it by the setting's name "app.send_it_endpoint"`,
    )
    expect(targetOf(`(select v from cfg where k = 'send-it-uri')`, ['send_it'])).toBe(
      'send_it by the key "send-it-uri"',
    )
  })

  it('is not assumed where no name fits, or several do, or a part is known', () => {
    expect(targetOf(secret('worker'), ['send-it'], '', 'send-it-now')).toBe('unresolved')
    expect(targetOf(secret('a_url'), ['a', 'job'])).toBe('unresolved')
    expect(targetOf(secret('a_url'), ['a-b', 'a_b'], '', 'a-b')).toBe('unresolved')
    expect(targetOf(`${secret('a_url')} || '/x'`, ['a'])).toBe('unresolved')
  })

  it('says what would tell', () => {
    const [dispatch] = dispatchesOf(`select net.http_post(url := ${secret('w')})`)
    expect(dispatch).toMatchObject({ function: null, url: '…' })
    expect(dispatch!.unresolved).toContain('the Vault secret "w"')
  })

  it('is known where a migration fills the configuration', () => {
    const before = `create table cfg (k text primary key, v text); insert into cfg values ('u', 'https://h/functions/v1/f')`
    expect(targetOf(`(select v from cfg where k = 'u')`, ['f'], before)).toBe('f')
    expect(targetOf(`(select v from cfg c where c.k = 'u' limit 1)`, ['f'], before)).toBe('f')
    expect(
      targetOf(`current_setting('app.u')`, ['f'], `alter database postgres set "app.u" to 'https://h/functions/v1/f'`),
    ).toBe('f')
    expect(targetOf(secret('u'), ['f'], `select vault.create_secret('https://h/functions/v1/f', 'u')`)).toBe('f')
  })
})
