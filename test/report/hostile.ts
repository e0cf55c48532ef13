import type { Report } from '../../src/model/index.js'
import { sample } from './sample.js'

/** What a name, a message or a piece of SQL may hold when somebody means harm, or nothing by it. */
export const PAYLOAD =
  '</title></style></script><script>window.pwned=1</script><img src="https://evil.example/x" onerror="window.pwned=1">' +
  '"\'`&amp; ]]> --> %25\r\n::error::x ##[error]y | [a](http://evil.example) ![b](http://evil.example) @somebody \u001b[31m\u202e\ufffe\ud800'

/** Fields whose values the contract lists; all other strings may hold anything. */
const CLOSED = new Set([
  'schemaVersion',
  'severity',
  'confidence',
  'verdict',
  'kind',
  'role',
  'level',
  'language',
  'claims',
])

/** The sample with the payload at the end of every string that may hold anything. */
export const hostile: Report = {
  ...(poisoned(sample, '') as Report),
  tool: { name: 'tick-audit', version: `1.0.0${PAYLOAD}` },
}

function poisoned(value: unknown, key: string): unknown {
  if (typeof value === 'string') return CLOSED.has(key) ? value : value + PAYLOAD
  if (Array.isArray(value)) return value.map((item) => poisoned(item, key))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name)]))
}
