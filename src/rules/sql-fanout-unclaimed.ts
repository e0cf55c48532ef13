import { effectsText, rowsText } from './facts.js'
import type { Rule } from './rule.js'

export const sqlFanoutUnclaimed: Rule = {
  meta: {
    id: 'sql-fanout-unclaimed',
    title: 'SQL sends a request per row and takes none of the rows',
    severity: 'error',
    what: 'A cron command or an SQL function sends one request for each row of a query. It does not take the rows, and the function that it calls does not either.',
    why: 'net.http_post only queues the request, which is sent once the transaction has committed, and nobody waits for the answer. Whatever the function has not finished when the next tick runs its query is still there and is requested again.',
    example: `select net.http_post(url := '…/send', body := jsonb_build_object('id', id))
from jobs where status = 'pending';`,
    sound: `with taken as (
  update jobs set status = 'processing'
  where id in (
    select id from jobs where status = 'pending'
    order by id limit 20 for update skip locked
  )
  returning id
)
select net.http_post(url := '…/send', body := jsonb_build_object('id', id)) from taken;`,
    fix: 'Take the rows in the statement that sends the requests: claim and request are committed together. Or let the function take its row before it works.',
    falsePositives: ['the function called takes the row in code that could not be followed'],
    references: [
      'pg_net README: requests are not started until the transaction is committed',
      'PostgreSQL docs 7.8.4, Data-Modifying Statements in WITH',
    ],
  },
  check: (loop) =>
    loop.fanout === null
      ? null
      : {
          location: loop.fanout,
          message: `This sends a request to ${loop.function} for ${rowsText(loop)} without taking the row, and the function does its work (${effectsText(loop)}) without taking it either: what is not finished by the next tick is requested again.`,
        },
}
