// Loaded with --import: every way to the network, to another process, or to write throws and is told on standard error.
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import vm from 'node:vm'
import workers from 'node:worker_threads'

function forbid(object, where, names) {
  for (const name of names) {
    if (typeof object[name] !== 'function') continue
    object[name] = function forbidden() {
      fs.writeSync(2, `FORBIDDEN ${where}.${name}\n`)
      throw new Error(`FORBIDDEN ${where}.${name}`)
    }
  }
}

forbid(globalThis, 'globalThis', ['fetch', 'WebSocket', 'EventSource', 'eval'])
forbid(http, 'http', ['request', 'get', 'createServer'])
forbid(https, 'https', ['request', 'get', 'createServer'])
forbid(http2, 'http2', ['connect', 'createServer', 'createSecureServer'])
forbid(net, 'net', ['connect', 'createConnection', 'createServer'])
forbid(net.Socket.prototype, 'net.Socket', ['connect'])
forbid(tls, 'tls', ['connect', 'createServer'])
forbid(dgram, 'dgram', ['createSocket'])
forbid(dns, 'dns', ['lookup', 'resolve', 'resolve4', 'resolve6'])
forbid(dns.promises, 'dns.promises', ['lookup', 'resolve', 'resolve4', 'resolve6'])
forbid(childProcess, 'child_process', ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
forbid(vm, 'vm', ['runInThisContext', 'runInNewContext', 'runInContext', 'compileFunction'])
workers.Worker = class {
  constructor() {
    throw new Error('FORBIDDEN worker_threads.Worker')
  }
}

const writers = [
  'writeFile',
  'appendFile',
  'mkdir',
  'mkdtemp',
  'rm',
  'rmdir',
  'unlink',
  'rename',
  'copyFile',
  'cp',
  'symlink',
  'link',
  'chmod',
  'chown',
  'truncate',
  'utimes',
  'createWriteStream',
]
forbid(
  fs,
  'fs',
  writers.flatMap((name) => [name, `${name}Sync`]),
)
forbid(fs.promises, 'fs.promises', writers)
syncBuiltinESMExports()
